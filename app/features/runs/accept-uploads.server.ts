import type { RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { takesFiles } from '#app/domain/workflows/fields/check-fields.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import { memberPrincipal } from '#app/engine/commands/member-principal.ts';
import { acceptUpload, type UploadFault } from '#app/engine/documents/accept-upload.ts';

/**
 * Keeps the files of a posted form, and puts what names them in their place, so that the form gives them back where something else is wrong.
 * Returns the form, and the faults of files by the names of their parts.
 */
export async function acceptUploads(
  context: Readonly<RouterContextProvider>,
  form: FormData,
  fields: readonly InputField[],
): Promise<{ form: FormData; faults: Record<string, UploadFault[]> }> {
  const faults: Record<string, UploadFault[]> = {};
  const principal = memberPrincipal(context.get(memberContext));
  const wanted = new Map(fields.filter(takesFiles).map(({ name, type }) => [name, type]));
  for (const [part, sent] of [...form]) {
    const [, value, name = '', index] = /^(([^.[]+)(?:\[(\d+)\])?)\.upload$/.exec(part) ?? [];
    if (value === undefined) continue;
    form.delete(part);
    const isWanted = wanted.get(name) === (index === undefined ? 'file' : 'list');
    if (!isWanted || !(sent instanceof File) || (sent.size === 0 && sent.name === '')) continue;
    const upload = { name: sent.name, content: new Uint8Array(await sent.arrayBuffer()) };
    const kept = await acceptUpload(principal, context.get(servicesContext), upload);
    if ('fault' in kept) faults[part] = [kept.fault];
    else form.set(`${value}.kept`, JSON.stringify(kept));
  }
  return { form, faults };
}
