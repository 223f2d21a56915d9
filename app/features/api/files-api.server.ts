import { problem, withProblems } from '#app/components/page/problem.server.ts';
import { keyContext, servicesContext } from '#app/contracts/request-context.ts';
import { acceptUpload, type UploadFault } from '#app/engine/documents/accept-upload.ts';
import { keyPrincipal } from '#app/engine/serving/caller.ts';
import type { ApiArguments } from '#app/features/api/answer.server.ts';
import { apiFile } from '#app/features/api/api-schemas.server.ts';

const FAULTS: Record<UploadFault, string> = {
  fileEmpty: 'The file is empty.',
  fileTooLarge: 'A file has at most 10 MB.',
  fileKind: 'Files are PDF, DOCX, XLSX, CSV, text or images, and their content must be what their name says.',
  fileRefused: 'The scanner of this instance refused the file.',
  fileNotScanned: 'The file could not be scanned. Send it again later.',
};

/** Keeps a file for the input of a run that this key starts within a day: a form with one part, `file`. */
export function keepFileApi({ request, context }: Pick<ApiArguments, 'context'> & { request: Request }): Promise<Response> {
  return withProblems(async () => {
    if (request.method !== 'POST') return problem('invalid_input', 'Use POST.', { status: 405, headers: { Allow: 'POST' } });
    const sent = await readPart(request);
    if (sent === null)
      return problem('invalid_input', 'Send a form (multipart/form-data) with one part named file, which has a file name.');
    const upload = { name: sent.name, content: new Uint8Array(await sent.arrayBuffer()) };
    const kept = await acceptUpload(keyPrincipal(context.get(keyContext)), context.get(servicesContext), upload);
    if ('fault' in kept) return problem('invalid_input', FAULTS[kept.fault]);
    return Response.json(apiFile.parse(kept), { status: 201 });
  });
}

async function readPart(request: Request): Promise<File | null> {
  if (request.headers.get('Content-Type')?.toLowerCase().startsWith('multipart/form-data;') !== true) return null;
  const parts = [...(await request.formData())];
  const [name, value] = parts[0] ?? [];
  return parts.length === 1 && name === 'file' && value instanceof File ? value : null;
}
