import { createHash } from 'node:crypto';
import type { FileStore, ScanFile } from '#app/contracts/ports.ts';
import type { Principal } from '#app/contracts/principals.ts';
import { mediaTypeOf } from '#app/domain/documents/media-type.ts';
import { FILE_MAX_BYTES, plainFileName, type RunFile } from '#app/domain/documents/run-file.ts';
import type { CommandDeps } from '#app/engine/commands/command.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { keepUpload } from '#app/engine/commands/runs/keep-upload.ts';

export type UploadDeps = CommandDeps & { files: FileStore; scanFile: ScanFile };
/** Why a file is not taken: a key of `validation`. */
export type UploadFault = 'fileTooLarge' | 'fileEmpty' | 'fileKind' | 'fileRefused' | 'fileNotScanned';

/**
 * Keeps a file for the input of a run that this person or key starts within a day: checked by size, kind and whoever scans files. Its row comes first,
 * so that no content is left that nothing names.
 */
export async function acceptUpload(
  principal: Principal,
  deps: UploadDeps,
  upload: { name: string; content: Uint8Array },
): Promise<RunFile | { fault: UploadFault }> {
  const { content } = upload;
  if (content.length === 0) return { fault: 'fileEmpty' };
  if (content.length > FILE_MAX_BYTES) return { fault: 'fileTooLarge' };
  const name = plainFileName(upload.name) || 'file';
  const mediaType = mediaTypeOf(name, content);
  if (mediaType === null) return { fault: 'fileKind' };
  const sha256 = createHash('sha256').update(content).digest('hex');
  const described = { name, mediaType, size: content.length, sha256 };
  const scanned = await deps.scanFile(described, content, new AbortController().signal);
  if (scanned !== 'clean') return { fault: scanned === 'refused' ? 'fileRefused' : 'fileNotScanned' };
  const { id: workspaceId } = principal.workspace;
  const storedName = `runs/${workspaceId}/${deps.newId()}`;
  const id = deps.newId();
  await perform(keepUpload, principal, deps, { id, ...described, storedName });
  await deps.files.put({ name: storedName, ownerId: workspaceId, mediaType, content });
  return { file: id, ...described };
}
