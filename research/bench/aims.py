"""The aims of gvbind on two cores without a GPU, beside a result of bench.py."""
import tables

# By voxels a side: stages 1 to 4 in seconds, peak memory of the process in GB; 107k triangles, 53 joints, 4 influences.
BY_RESOLUTION = {256: (0.6, 0.5), 512: (2.5, 1.2), 1024: (12.0, 4.0)}
MOST_FOR_JOINTS = 1.3
MOST_FOR_RESOLUTION = 4.3
MOST_OUTSIDE = 20.0
MOST_START = 0.030
DENSE_TRIANGLES = 107024


def print_aims(result):
    found = list(aims(result))
    if found:
        print('\naims')
    for what, measured, aim, unit in found:
        print(f'  {what:78}{measured:9.3f} of {aim:g} {unit:4} {"reached" if measured <= aim else "MISSED"}')


def aims(result):
    """(what, measured, aim, unit), of those that the result has cases for."""
    medians = {name: {row: v.median for row, v in tables.rows(case).items()}
               for name, case in result['cases'].items() if case['runs']}
    for name, median in medians.items():
        case = result['cases'][name]
        if case['counts']['triangles'] != DENSE_TRIANGLES or case['threads'] != 2:
            continue
        seconds, memory = BY_RESOLUTION.get(case['resolution'], (None, None))
        if seconds:
            yield f'stages 1 to 4, {name}', median[tables.STAGES], seconds, 's'
            yield f'peak memory, {name}', median[tables.PEAK] / 1000, memory, 'GB'
        if case['resolution'] == 256:
            yield f'outside stages 1 to 4, {name}', median[tables.SHARE], MOST_OUTSIDE, '%'
    for series in result['series']:
        yield from steps(result, series, medians)
    if result['startup']:
        yield 'start-up until reading begins', tables.value(result['startup']['first_work']).median, MOST_START, 's'


def steps(result, series, medians):
    names = [name for name in series['cases'] if name in medians]
    if series['axis'] == 'joints':
        ends = [name for name in names if f'{result["cases"][name]["file"]} '.endswith((' 20j ', ' 200j '))]
        if len(ends) == 2:
            few, many = (medians[name][tables.STAGES] for name in ends)
            yield f'{series["suite"]}: 200 joints against 20', many / few, MOST_FOR_JOINTS, 'x'
    if series['axis'] == 'resolution':
        for a, b in zip(names, names[1:]):
            if result['cases'][b]['resolution'] == 2 * result['cases'][a]['resolution']:
                yield (f'{series["suite"]}: {b} against half the resolution',
                       medians[b][tables.STAGES] / medians[a][tables.STAGES], MOST_FOR_RESOLUTION, 'x')
