import { AppError } from '#app/domain/errors.ts';
import { ANONYMOUS_MAX_BYTES } from '#app/domain/web/body-limits.ts';

/** Why a posted form was not taken, though nothing in it is wrong. */
const REASONS = ['sessionOver', 'otherWorkspace', 'unavailable'] as const;
export type PreservedFormReason = (typeof REASONS)[number];

/**
 * A posted form given back whole, up to 256 KB (rule: what a person typed is never lost). It is sent again as it was, once the reason is gone.
 * Passwords are never given back, and a file cannot be: `files` are the ones to choose again.
 */
export type PreservedForm = {
  kept: PreservedFormReason;
  action: string;
  fields: { name: string; value: string }[];
  files: { name: string; file: string }[];
  /** Of `otherWorkspace`: where the form came from and where one is now. */
  workspaces: { from: { id: string; name: string } | null; now: { id: string; name: string } } | null;
};

/** Sent with a kept form when the person has said: yes, in the workspace it came from. */
export const CONFIRMED_WORKSPACE_FIELD = 'confirmedWorkspace';

const SECRET_FIELD = /password|secret|credential|token|apikey/i;
/** Whether a name says that its value is a secret. */
export const isSecretField = (name: string): boolean => SECRET_FIELD.test(name);

/** @throws AppError too_large beyond 256 KB: a preserved form is drawn, and sent twice over */
export function preserveForm(
  reason: PreservedFormReason,
  action: string,
  form: FormData,
  workspaces: PreservedForm['workspaces'],
): PreservedForm {
  const fields: PreservedForm['fields'] = [];
  const files: PreservedForm['files'] = [];
  let size = 0;
  for (const [name, value] of form) {
    if (isSecretField(name) || name === CONFIRMED_WORKSPACE_FIELD) continue;
    if (typeof value === 'string') {
      fields.push({ name, value });
      size += name.length + value.length;
    } else if (value.size > 0) files.push({ name, file: value.name });
  }
  if (size > ANONYMOUS_MAX_BYTES) throw new AppError('too_large', { values: { limit: ANONYMOUS_MAX_BYTES / 1024 } });
  return { kept: reason, action, fields, files, workspaces };
}

export function isPreservedForm(value: unknown): value is PreservedForm {
  return typeof value === 'object' && value !== null && 'kept' in value && REASONS.some((reason) => reason === value.kept);
}
