'use strict';
(() => {
  const at = (id) => document.getElementById(id);
  const list = at('cards'), text = at('text'), severity = at('severity');
  const judged = at('judged'), sort = at('sort'), reverse = at('reverse'), shown = at('shown');
  const counts = [...document.querySelectorAll('.counts button')];
  const rank = { none: 0, note: 1, warning: 2, error: 3 };
  const verdicts = { none: -1, better: 0, equal: 1, worse: 2 };
  const statuses = ['failed', 'interrupted', 'skipped', 'done', 'up-to-date'];

  const sought = '.picture + .head, .failure, .findings, .command code';
  const cards = [...list.querySelectorAll('.card')].map((element) => ({
    element,
    name: element.dataset.name,
    status: element.dataset.status,
    severity: rank[element.dataset.severity],
    gravity: Number(element.dataset.gravity),
    seconds: Number(element.dataset.seconds),
    bleed: Number(element.dataset.bleed),
    stretch: Number(element.dataset.stretch),
    changed: Number(element.dataset.changed),
    verdict: Number(element.dataset.verdict),
    fails: element.dataset.fails === '1',
    text: [...element.querySelectorAll(sought)].map((part) => part.textContent).join(' ').toLowerCase(),
  }));
  const order = new Intl.Collator('en', { numeric: true });
  const byName = (a, b) => order.compare(a.name, b.name) || (a.name < b.name ? -1 : 1);
  const sorts = {
    name: byName,
    ...Object.fromEntries(['seconds', 'bleed', 'stretch', 'changed', 'verdict'].map(
      (figure) => [figure, (a, b) => b[figure] - a[figure] || byName(a, b)])),
    worst: (a, b) => b.gravity - a.gravity || byName(a, b),
    status: (a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status) || byName(a, b),
  };

  const isOn = (button) => button.getAttribute('aria-pressed') === 'true';
  const turn = (button, on) => button.setAttribute('aria-pressed', String(on));
  const pressed = () => counts.filter(isOn).map((button) => button.dataset.status);

  const fits = (words, wanted) => (card) =>
    words.every((word) => card.text.includes(word)) &&
    (wanted.length === 0 || wanted.includes(card.status)) &&
    (judged.value === '' || card.verdict === verdicts[judged.value]) &&
    (severity.value === '' || (severity.value === 'fails' ? card.fails :
      severity.value === 'none' ? card.severity === 0 : card.severity >= rank[severity.value]));

  let told = '';
  const arrange = () => {
    const sequence = [...cards].sort(sorts[sort.value]);
    if (isOn(reverse)) sequence.reverse();
    const now = sort.value + isOn(reverse);
    if (now !== told) list.append(...sequence.map((card) => card.element));
    told = now;
  };

  const update = () => {
    arrange();
    const wanted = pressed();
    const test = fits(text.value.toLowerCase().split(/\s+/).filter(Boolean), wanted);
    let visible = 0;
    for (const card of cards) {
      const fit = test(card);
      card.element.hidden = !fit;
      visible += fit;
    }
    shown.textContent = visible === cards.length ? `${visible} shown` : `${visible} of ${cards.length} shown`;
    at('nothing').hidden = visible > 0 || cards.length === 0;
    remember(wanted);
  };

  // The choice lives in the address, so that a link can name it.
  const remember = (wanted) => {
    const state = new URLSearchParams();
    if (text.value) state.set('text', text.value);
    if (wanted.length) state.set('status', wanted.join(' '));
    if (severity.value) state.set('severity', severity.value);
    if (judged.value) state.set('judged', judged.value);
    if (sort.value !== 'worst') state.set('sort', sort.value);
    if (isOn(reverse)) state.set('reverse', '1');
    const hash = state.toString();
    if (hash !== location.hash.slice(1))
      history.replaceState(null, '', hash ? '#' + hash : location.pathname + location.search);
  };
  const choose = (select, value) => {
    const known = [...select.options].some((option) => option.value === value);
    select.value = known ? value : select.options[0].value;
  };
  const recall = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    text.value = state.get('text') ?? '';
    choose(severity, state.get('severity'));
    choose(judged, state.get('judged'));
    choose(sort, state.get('sort'));
    turn(reverse, state.has('reverse'));
    const wanted = (state.get('status') ?? '').split(' ');
    for (const button of counts) turn(button, !button.disabled && wanted.includes(button.dataset.status));
    update();
  };

  const copyText = async (code) => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      // No clipboard for pages of this origin: select it, so that at worst Ctrl-C does.
      getSelection().selectAllChildren(code);
      return document.execCommand('copy');
    }
  };
  list.addEventListener('click', async (event) => {
    const button = event.target.closest('.copy');
    if (!button) return;
    const done = await copyText(button.previousElementSibling);
    button.textContent = done ? 'Copied' : 'Selected';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });

  let waiting = 0;
  text.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, cards.length > 200 ? 120 : 0);
  });
  for (const select of [severity, judged, sort]) select.addEventListener('change', update);
  for (const button of [reverse, ...counts])
    button.addEventListener('click', () => { turn(button, !isOn(button)); update(); });
  at('tools').addEventListener('submit', (event) => event.preventDefault());
  at('reset').addEventListener('click', () => {
    history.replaceState(null, '', location.pathname + location.search);
    recall();
    text.focus();
  });
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();  // its address would take the place of the choice
    list.focus();
  });
  addEventListener('hashchange', recall);
  at('tools').hidden = false;
  recall();
})();
