/** Why a posted form was not taken, though nothing in it is wrong. */
export type KeptFormReason = 'sessionOver' | 'otherWorkspace';

/**
 * A posted form given back whole (rule: what a person typed is never lost). It is sent again as it was, once the reason is gone.
 * Passwords and files are never given back.
 */
export type KeptForm = {
  kept: KeptFormReason;
  action: string;
  fields: { name: string; value: string }[];
  /** Of `otherWorkspace`: where the form came from and where one is now. */
  workspaces: { from: { id: string; name: string } | null; now: { id: string; name: string } } | null;
};

/** Sent with a kept form when the person has said: yes, in the workspace it came from. */
export const CONFIRMED_WORKSPACE_FIELD = 'confirmedWorkspace';

const SECRET_FIELD = /password|secret|credential|token|apikey/i;
const MAX_KEPT_BYTES = 1_000_000;

export function keepForm(reason: KeptFormReason, action: string, form: FormData, workspaces: KeptForm['workspaces']): KeptForm {
  const fields: KeptForm['fields'] = [];
  let size = 0;
  for (const [name, value] of form) {
    if (typeof value !== 'string' || SECRET_FIELD.test(name) || name === CONFIRMED_WORKSPACE_FIELD) continue;
    size += name.length + value.length;
    if (size <= MAX_KEPT_BYTES) fields.push({ name, value });
  }
  return { kept: reason, action, fields, workspaces };
}

export function isKeptForm(value: unknown): value is KeptForm {
  return (
    typeof value === 'object' && value !== null && 'kept' in value && (value.kept === 'sessionOver' || value.kept === 'otherWorkspace')
  );
}
