// @ts-check

/**
 * An element of the page, by its id.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export const byId = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * A new element; texts are never markup.
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {string} [text]
 */
export function element(tag, attributes = {}, text) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/**
 * @param {string} id of a select
 * @param {[string, string][]} options values and texts
 */
export function fillSelect(id, options) {
  byId(id).replaceChildren(...options.map(([value, text]) => element('option', { value }, text)));
}

/**
 * Copies a text, and says so on the button.
 * @param {HTMLElement} button
 * @param {string} text
 */
export async function copyText(button, text) {
  const label = button.dataset.label ?? button.textContent ?? '';
  button.dataset.label = label;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No clipboard for pages of this origin.
    const area = /** @type {HTMLTextAreaElement} */ (element('textarea', { readonly: '' }));
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand('copy');
    area.remove();
  }
  button.textContent = done ? 'Copied' : 'Not copied';
  byId('said').textContent = done ? 'Copied' : 'The browser did not let the page copy';
  setTimeout(() => (button.textContent = label), 1500);
}

/** @param {string} name @param {string | Uint8Array<ArrayBuffer>} content */
export function saveFile(name, content) {
  const link = /** @type {HTMLAnchorElement} */ (element('a', { download: name }));
  link.href = URL.createObjectURL(
    new Blob([content], { type: typeof content === 'string' ? 'text/plain' : 'application/octet-stream' }),
  );
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/**
 * A glob that matches this name alone.
 * @param {string} name
 */
export const globOf = (name) => name.replace(/[*?[\]\\]/g, '\\$&');

/**
 * The lines of a file for --pose.
 * @param {string[]} names
 * @param {Float64Array} angles three for each
 */
export function poseFile(names, angles) {
  /** @type {Map<string, string>} by name, which TOML allows once; a line turns all joints of it */
  const lines = new Map();
  for (const [j, name] of names.entries()) {
    const own = Array.from(angles.subarray(3 * j, 3 * j + 3), (angle) => Number(angle.toFixed(6)));
    if (!lines.has(name) && own.some((angle) => angle !== 0))
      lines.set(name, `${JSON.stringify(globOf(name))} = [${own.join(', ')}]\n`);
  }
  return Array.from(lines.values()).join('');
}

/**
 * A word for a shell.
 * @param {string} word
 */
export const shellWord = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'");
