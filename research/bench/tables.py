"""Tables of what bench.py has measured, and two such measurements side by side. A result is what bench.py writes as JSON."""
import statistics
from dataclasses import dataclass

import floors

OUTSIDE = ('read', 'judge', 'patch', 'write', 'verify')  # every other stage of a report is one of 1 to 4
STAGES, WHOLE, PEAK, SHARE = 'stages 1-4', 'whole process', 'peak memory, MB', 'outside stages 1-4, %'
COLUMNS = 5
NOISE_FACTOR = 3.0
LEAST_NOISE = 0.03
TOO_SHORT = 0.001  # seconds: less is the clock's and the scheduler's


@dataclass
class Value:
    median: float
    spread: float  # half the range between the quartiles, as a part of the median
    least: float


def value(numbers):
    median = statistics.median(numbers)
    if len(numbers) < 2 or median == 0:
        return Value(median, 0.0, min(numbers))
    low, _, high = statistics.quantiles(numbers, n=4, method='inclusive')
    return Value(median, (high - low) / 2 / median, min(numbers))


def stage_sum(run):
    return sum(seconds for stage, seconds in run['stages'].items() if stage not in OUTSIDE)


def rows(case):
    """Everything that was measured of a case: name of the row -> Value."""
    runs = case['runs']
    made = {stage: value([run['stages'][stage] for run in runs]) for stage in runs[0]['stages']}
    made[STAGES] = value([stage_sum(run) for run in runs])
    made['before, between and after'] = value([run['seconds'] - sum(run['stages'].values()) for run in runs])
    made[WHOLE] = value([run['seconds'] for run in runs])
    made['processor time'] = value([run['processor_seconds'] for run in runs])
    made[PEAK] = value([run['peak_bytes'] / 1e6 for run in runs])
    made[SHARE] = value([100 * (1 - stage_sum(run) / run['seconds']) for run in runs])
    return made


def number(x, row=WHOLE):
    if row in (PEAK, SHARE):
        return f'{x:.1f}'
    return f'{x:.4f}' if x < 1 else f'{x:.3f}'


def print_head(result):
    machine, program = result['machine'], result['program']
    print(f"{program['version']}, commit {program['commit']}, {result['settings']['runs']} runs a case, "
          f"device {result['settings']['device']}, {result['when']}")
    print(f"{machine['processor']}, {machine['cores']} cores, {machine['memory_bytes'] / 1e9:.1f} GB; load "
          f"{machine['load_before']:.2f} before, {machine['load_after']:.2f} after")
    for kind, unit in (('bytes_a_second', 'GB/s copied'), ('operations_a_second', 'G additions/s')):
        of = result['rates'][kind]
        print('; '.join(f'{rate / 1e9:.1f} {unit} on {threads}' for threads, rate in of.items()))
    own = value(result['calibration'])
    print(f'noise of the machine: a fixed loop took {own.median * 1000:.2f} ms ±{100 * own.spread:.0f}% '
          f'(least {own.least * 1000:.2f}, most {max(result["calibration"]) * 1000:.2f}) between the runs')


def print_series(result, series):
    """Rows: stages; columns: cases; growth from column to column."""
    names = series['cases']
    print(f"\n{series['suite']}: {series['title']}")
    print('median seconds, ± half the range between the quartiles' + (', x growth' if series['axis'] else ''))
    for name in names:
        if result['cases'][name]['refused']:
            print(f"  {name} was refused: {result['cases'][name]['refused']}")
    bound = [name for name in names if result['cases'][name]['runs']]
    for first in range(0, len(bound), COLUMNS):
        print_block(result, series, bound, first)


def print_block(result, series, bound, first):
    shown = bound[first:first + COLUMNS]
    table = {name: rows(result['cases'][name]) for name in bound}
    labels = list(dict.fromkeys(row for name in shown for row in table[name]))
    wide = max([22] + [len(name) + 1 for name in shown])
    print(' ' * 26 + ''.join(f'{name:>{wide}}' for name in shown))
    for row in labels:
        cells = []
        for place, name in enumerate(shown, first):
            cell = ''
            if row in table[name]:
                own = table[name][row]
                cell = f'{number(own.median, row)} ±{100 * own.spread:2.0f}%'
                before = table[bound[place - 1]].get(row) if place and series['axis'] else None
                growth = f'x{own.median / before.median:.2f}' if before and before.median > 0 and row != SHARE else ''
                cell += f'{growth:>7}' if series['axis'] else ''
            cells.append(f'{cell:>{wide}}')
        print(f'{row:26}' + ''.join(cells))
    for row, title in ((STAGES, 'stages 1-4, least'), (WHOLE, 'whole process, least')):
        print(f'{title:26}' + ''.join(f'{number(table[n][row].least):>{wide}}' for n in shown))
    if series['axis']:
        expected = [expected_growth(series['axis'], *(result['cases'][bound[i + d]] for d in (-1, 0))) if i else ''
                    for i in range(first, first + len(shown))]
        print(f'{"growth expected of 1-4":26}' + ''.join(f'{text:>{wide}}' for text in expected))


def expected_growth(axis, old, new):
    def ratio(of):
        return of(new) / of(old)
    if axis == 'joints':
        return 'x1'
    if axis == 'triangles':
        return f"x1 to x{ratio(lambda c: c['counts']['triangles']):.2f}"
    if axis == 'resolution':
        return f"x{ratio(lambda c: c['resolution'] ** 2):.2f}"
    return f"x{1 / ratio(lambda c: c['threads']):.2f} at best"


def print_floors(result, names):
    """Milliseconds of each stage beside its floor."""
    bound = [name for name in names if result['cases'][name]['runs']]
    if bound:
        print('\nfloors: the least that a stage must move and do, and the milliseconds which that takes here')
    if bound:
        for stage in result['cases'][bound[0]]['runs'][0]['stages']:
            print(f'  {stage}: {floors.FLOORS[stage][2] if stage in floors.FLOORS else "no floor is stated"}')
    for name in bound:
        case = result['cases'][name]
        least = floors.floors(floors.Counts(**case['counts']), result['rates'], case['threads'])
        measured = rows(case)
        print(f'{name:32}{"measured":>10}{"floor":>10}{"times":>8}{"MB":>10}{"M op":>10}')
        total = 0.0
        for stage in (s for s in case['runs'][0]['stages'] if s in least):
            floor = least[stage]
            total += floor.seconds if stage not in OUTSIDE else 0.0
            print(f'  {stage:30}{times_of(measured[stage].median, floor.seconds)}{floor.bytes / 1e6:10.1f}'
                  f'{floor.operations / 1e6:10.1f}')
        print(f'  {STAGES:30}{times_of(measured[STAGES].median, total)}')


def times_of(seconds, floor):
    times = f'{seconds / floor:.1f}' if floor > 0 else '-'
    return f'{1000 * seconds:>10.2f}{1000 * floor:>10.3f}{times:>8}'


def print_startup(result):
    startup = result['startup']
    if startup:
        version, first = value(startup['version']), value(startup['first_work'])
        print(f'\nstart-up: gvbind --version {version.median * 1000:.1f} ms ±{100 * version.spread:.0f}%, until reading '
              f'begins {first.median * 1000:.1f} ms ±{100 * first.spread:.0f}%')


def print_warnings(result):
    """Runs of one input and resolution must give one output, whatever the threads."""
    outputs = {}
    for name, case in result['cases'].items():
        key = (case['file'], case['resolution'])
        outputs.setdefault(key, {}).update({digest: name for digest in case['outputs']})
    for (file, resolution), found in outputs.items():
        if len(found) > 1:
            print(f'DIFFERENT OUTPUTS of {file} at {resolution}: {", ".join(found.values())}')
    own = 1.02 * result['machine']['bench_bytes']
    small = [name for name, case in result['cases'].items()
             if case['runs'] and max(run['peak_bytes'] for run in case['runs']) < own]
    if small:
        print('peak memory hidden behind that of the benchmark itself: ' + ', '.join(small))


def print_result(result):
    print_head(result)
    for series in result['series']:
        print_series(result, series)
    print_floors(result, list(dict.fromkeys(n for series in result['series'] if series['floors'] for n in series['cases'])))
    print_startup(result)
    print_warnings(result)


@dataclass
class Change:
    case: str
    row: str
    old: float
    new: float
    noise: float  # a part of 1: ratios within 1 ± noise say nothing
    mark: str  # 'slower', 'faster', 'larger', 'smaller' or nothing

    @property
    def ratio(self):
        return self.new / self.old if self.old > 0 else float('inf') if self.new > 0 else 1.0


def change(name, row, old, new):
    noise = max(LEAST_NOISE, NOISE_FACTOR * (old.spread ** 2 + new.spread ** 2) ** 0.5)
    made = Change(name, row, old.median, new.median, noise, '')
    short = row != PEAK and max(old.median, new.median) < TOO_SHORT
    # The least of each must agree: one busy neighbor moves medians, seldom the best run.
    if not short and made.ratio > 1 + noise and new.least > (1 + LEAST_NOISE) * old.least:
        made.mark = 'larger' if row == PEAK else 'slower'
    if not short and made.ratio < 1 / (1 + noise) and (1 + LEAST_NOISE) * new.least < old.least:
        made.mark = 'smaller' if row == PEAK else 'faster'
    return made


def changes(old, new):
    """Of the cases that both have."""
    made = []
    for name, case in new['cases'].items():
        before = old['cases'].get(name)
        if before and before['runs'] and case['runs']:
            a, b = rows(before), rows(case)
            made += [change(name, row, a[row], b[row]) for row in b if row in a and row != SHARE]
    return made


def print_comparison(old, new):
    """Ratio by ratio; true where something became slower or larger than noise explains."""
    loops = [value(result['calibration']) for result in (old, new)]
    print(f"\ncompared with {old['program']['version']}, commit {old['program']['commit']}, {old['when']}, "
          f"build {old['program']['sha256'][:12]} against {new['program']['sha256'][:12]}")
    print(f'the fixed loop: x{loops[1].median / loops[0].median:.2f} (spreads ±{100 * loops[0].spread:.0f}%, '
          f'±{100 * loops[1].spread:.0f}%): the machine itself')
    if change('', '', loops[0], loops[1]).noise < abs(loops[1].median / loops[0].median - 1):
        print('THE MACHINE WAS NOT THE SAME: ratios below contain that; measure both in one run with --against')
    if old['settings']['device'] != new['settings']['device']:
        print(f"ANOTHER DEVICE: {old['settings']['device']} then, {new['settings']['device']} now")
    found = changes(old, new)
    for name in dict.fromkeys(c.case for c in found):
        same = sorted(set(old['cases'][name]['outputs'])) == sorted(set(new['cases'][name]['outputs']))
        print(f"{name}: {'the same bytes' if same else 'OTHER BYTES'} written")
        for c in found:
            if c.case == name:
                print(f'  {c.row:26}{number(c.old, c.row):>10} -> {number(c.new, c.row):>10}  x{c.ratio:.2f} '
                      f'±{c.noise:.2f}  {c.mark}'.rstrip())
    missing = [name for name in new['cases'] if name not in {c.case for c in found}]
    if missing:
        print('not compared: ' + ', '.join(missing))
    worse = [c for c in found if c.mark in ('slower', 'larger')]
    print(f'beyond noise: {len(worse)} slower or larger, {sum(c.mark in ("faster", "smaller") for c in found)} faster or '
          f'smaller, of {len(found)}')
    return bool(worse)


def say(what, measured, aim='', reached=None):
    verdict = '' if reached is None else 'reached' if reached else 'MISSED'
    print(f'  {what:66}{measured:>18}  {aim:18} {verdict}'.rstrip(), flush=True)


def least(case):
    """Seconds of each stage, the least of all runs."""
    return {stage: value.least for stage, value in rows(case).items() if stage in case['runs'][0]['stages']}
