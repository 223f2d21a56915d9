import type { RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
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
  for (const { name, type } of fields) {
    const part = `${name}.upload`;
    const sent = type === 'file' ? form.get(part) : null;
    form.delete(part);
    if (!(sent instanceof File) || (sent.size === 0 && sent.name === '')) continue;
    const upload = { name: sent.name, content: new Uint8Array(await sent.arrayBuffer()) };
    const kept = await acceptUpload(principal, context.get(servicesContext), upload);
    if ('fault' in kept) faults[part] = [kept.fault];
    else form.set(`${name}.kept`, JSON.stringify(kept));
  }
  return { form, faults };
}
