/** Forms of this page in which something was typed or chosen since they came, or since they were sent. */
const typed = new Set<HTMLFormElement>();
/** How each form stood before anybody typed; null where that is not known any longer, because it came back refused. */
const pristine = new WeakMap<HTMLFormElement, string | null>();
/** How the forms stood before that are on their way and had been typed in. */
const sent = new Map<HTMLFormElement, string | null>();
const listeners = new Set<() => void>();

function change(act: () => void): void {
  const had = typed.size > 0;
  act();
  if (had !== typed.size > 0) for (const listener of listeners) listener();
}

/** Begins to look after a form that has come into the page; it may have been typed in before scripts came. Returns the end. */
export function watchForm(form: HTMLFormElement): () => void {
  if (!pristine.has(form)) pristine.set(form, wordsOf(form, 'served'));
  if (textsOf(form).some((field) => valueNow(field) !== valueServed(field))) markTyped(form);
  return () => {
    sent.delete(form);
    change(() => typed.delete(form));
  };
}

export const markTyped = (form: HTMLFormElement) => change(() => typed.add(form));

export function markSent(form: HTMLFormElement): void {
  if (!typed.has(form)) return;
  sent.set(form, pristine.get(form) ?? null);
  pristine.set(form, wordsOf(form, 'now'));
  change(() => typed.delete(form));
}

/** The page answered instead of leading on: what was typed is still to be sent. */
export function markAnswered(form: HTMLFormElement): void {
  const before = sent.get(form);
  if (before === undefined) return;
  sent.delete(form);
  pristine.set(form, before);
  markTyped(form);
}

export const markSaved = (form: HTMLFormElement) => sent.delete(form);

/** The form was served as it had been refused. It counts where it holds other words than it came with at first. */
export function markRefused(form: HTMLFormElement, first: unknown): void {
  const held = textsOf(form).some(({ name, value }) => value !== '' && value !== String(valueAt(first, name) ?? ''));
  if (!held) return;
  pristine.set(form, null);
  markTyped(form);
}

/** Whether a form holds what would be lost. What was typed and taken back does not count. */
export const hasUnsaved = () => [...typed].some((form) => form.isConnected && pristine.get(form) !== wordsOf(form, 'now'));

export const hasTyped = () => typed.size > 0;

/** Called when there begins or ends to be something typed. Returns the undo. */
export function onTyped(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Buttons and hidden fields are not typed; passwords are filled in by browsers. */
const NOT_TYPED = new Set(['hidden', 'password', 'submit', 'button', 'reset', 'image']);

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (element): element is Field =>
      (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) &&
      !NOT_TYPED.has(element.type),
  );
}

const isTick = (field: Field): field is HTMLInputElement => field.type === 'checkbox' || field.type === 'radio';

const textsOf = (form: HTMLFormElement) =>
  fieldsOf(form).filter((field) => !(isTick(field) || field.type === 'file' || field instanceof HTMLSelectElement));

function wordsOf(form: HTMLFormElement, at: 'served' | 'now'): string {
  return JSON.stringify(fieldsOf(form).map((field) => [field.name, at === 'now' ? valueNow(field) : valueServed(field)]));
}

function valueNow(field: Field): string | boolean {
  return isTick(field) ? field.checked : field.value;
}

function valueServed(field: Field): string | boolean {
  if (isTick(field)) return field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.defaultValue;
  const options = [...field.options];
  return (options.find((option) => option.defaultSelected) ?? options[0])?.value ?? '';
}

/** The value of a field by its name, as in `rows[0].name`. */
function valueAt(values: unknown, name: string): unknown {
  let value = values;
  for (const part of name.split(/[.[\]]+/).filter((part) => part !== ''))
    value = (value as Record<string, unknown> | null | undefined)?.[part];
  return value;
}
