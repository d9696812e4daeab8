// @ts-check
import { cssColor } from './colors.js';
import { byId, element } from './controls.js';

/**
 * Shows the weights of a vertex beside the cursor.
 * @param {import('./character.js').Character} character
 * @param {import('./pick.js').Hit | null} hit null: nothing
 * @param {number} side
 * @param {[number, number]} at pixels from the upper left
 */
export function showTip(character, hit, side, [x, y]) {
  const tip = byId('tip');
  tip.hidden = !hit;
  if (!hit) return;
  const part = character.parts[hit.mesh];
  const rows = character.weightsAt(hit.mesh, hit.vertex, side).map(({ joint, weight }) => {
    const row = element('div');
    const swatch = element('span', { class: 'swatch' });
    const { color, name } = character.page.joints[joint];
    swatch.style.background = cssColor(color);
    row.append(swatch, element('span', {}, `${weight.toFixed(3)} ${name}`));
    return row;
  });
  if (rows.length === 0) rows.push(element('div', {}, part.skinned ? 'no weight' : 'without a skin'));
  tip.replaceChildren(element('div', {}, `${part.data.name || 'mesh'}, vertex ${hit.vertex}`), ...rows);
  const { clientWidth, clientHeight } = byId('canvas');
  tip.style.left = Math.min(x + 14, Math.max(0, clientWidth - tip.offsetWidth - 8)) + 'px';
  tip.style.top = Math.min(y + 14, Math.max(0, clientHeight - tip.offsetHeight - 8)) + 'px';
}

/**
 * The line between two skins.
 * @param {import('./page.js').Scene} scene
 * @param {string} name of the left one
 * @param {string | undefined} other none: there is one skin
 */
export function setUpSwipe(scene, name, other) {
  const bar = byId('swipe');
  bar.hidden = byId('sides').hidden = other === undefined;
  if (other === undefined) return;
  byId('side-a').textContent = name;
  byId('side-b').textContent = other;
  const set = (/** @type {number} */ part) => {
    scene.swipe = Math.min(1, Math.max(0, part));
    bar.style.left = 100 * scene.swipe + '%';
    bar.setAttribute('aria-valuenow', String(Math.round(100 * scene.swipe)));
    scene.changed();
  };
  set(0.5);
  bar.addEventListener('pointerdown', (event) => bar.setPointerCapture(event.pointerId));
  bar.addEventListener('pointermove', (event) => {
    const { left, width } = byId('canvas').getBoundingClientRect();
    if (event.buttons & 1) set((event.clientX - left) / width);
  });
  bar.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key];
    if (step !== undefined) set(scene.swipe + step);
  });
}
