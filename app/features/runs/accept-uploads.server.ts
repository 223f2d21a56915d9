import type { RouterContextProvider } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { plainFileName } from '#app/domain/documents/run-file.ts';
import { AppError } from '#app/domain/errors.ts';
import { takesFiles } from '#app/domain/workflows/fields/check-fields.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import { memberPrincipal } from '#app/engine/commands/member-principal.ts';
import { acceptUpload } from '#app/engine/documents/accept-upload.ts';

/**
 * Keeps the files of a posted form, and puts what names them in their place, so that the form gives them back where something else is wrong.
 * Returns the form, and the faults of files by the names of their parts.
 */
export async function acceptUploads(
  context: Readonly<RouterContextProvider>,
  form: FormData,
  fields: readonly InputField[],
): Promise<{ form: FormData; faults: Record<string, string[]> }> {
  const faults: Record<string, string[]> = {};
  const principal = memberPrincipal(context.get(memberContext));
  const wanted = new Map(fields.filter(takesFiles).map(({ name, type }) => [name, type]));
  const taken = new Set<string>();
  for (const [part, sent] of [...form]) {
    const [, value, name = '', index] = /^(([^.[]+)(?:\[(\d+)\])?)\.upload$/.exec(part) ?? [];
    if (value === undefined) continue;
    form.delete(part);
    const isWanted = wanted.get(name) === (index === undefined ? 'file' : 'list');
    if (!isWanted || !(sent instanceof File) || (sent.size === 0 && sent.name === '')) continue;
    const upload = { name: sent.name, content: new Uint8Array(await sent.arrayBuffer()) };
    const kept = await acceptUpload(principal, context.get(servicesContext), upload).catch(faultOfWaiting);
    // Further files that were chosen with the first of an entry come behind the last.
    const place = taken.has(value) && index !== undefined ? `${name}[${countRows(form, name)}]` : value;
    taken.add(value);
    if ('fault' in kept) {
      faults[`${place}.upload`] = [kept.fault];
      // The form names what it could not take.
      form.set(`${place}.upload`, plainFileName(sent.name));
    } else form.set(`${place}.kept`, JSON.stringify(kept));
  }
  return { form, faults };
}

/** A person may have so many files without a run, and whoever chooses several at once comes to that number. */
function faultOfWaiting(error: unknown): { fault: string } {
  const { what, limit } = error instanceof AppError ? error.values : {};
  if (what === 'uploads' && typeof limit === 'number') return { fault: message('filesWaiting', { maximum: limit }) };
  throw error;
}

/** One more than the highest number of a row. */
function countRows(form: FormData, name: string): number {
  const rows = [...form.keys()].flatMap((part) => {
    const [, index] = part.startsWith(`${name}[`) ? (/^\[(\d+)\]/.exec(part.slice(name.length)) ?? []) : [];
    return index === undefined ? [] : [Number(index)];
  });
  return Math.max(-1, ...rows) + 1;
}
