/** Forms of this page with changes that have not been sent. */
const unsaved = new Set<HTMLFormElement>();
const listeners = new Set<() => void>();

function change(act: () => void): void {
  const had = unsaved.size > 0;
  act();
  if (had !== unsaved.size > 0) for (const listener of listeners) listener();
}

/** Something was typed or chosen in the form, or it came back refused. */
export const markUnsaved = (form: HTMLFormElement) => change(() => unsaved.add(form));

/** The form was sent, or is gone. */
export const markSaved = (form: HTMLFormElement) => change(() => unsaved.delete(form));

export const hasUnsaved = () => unsaved.size > 0;

/** Called when there begins or ends to be something unsaved. Returns the undo. */
export function onUnsaved(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
