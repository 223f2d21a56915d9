/** Bytes that a form may have from anyone: as much as is given back where a form cannot be taken. */
export const ANONYMOUS_MAX_BYTES = 262_144;
/** Bytes of a form from whoever is signed in, and of a program's call. */
export const FORM_MAX_BYTES = 1_048_576;
/** A workflow as JSON may be pasted whole, and a picture with what its form wraps around it passes 1 MB: their own forms refuse what is too large. */
export const DOCUMENT_MAX_BYTES = 8_388_608;
/** Files of a run's input, two of the largest, with what their form wraps around them. */
export const UPLOAD_MAX_BYTES = 22_020_096;
/** One file from a program, with what its form wraps around it. */
const PROGRAM_FILE_MAX_BYTES = 11_534_336;
export const MAX_FIELDS = 1_000;

const WORKFLOW_DOCUMENT = /^\/dashboard\/workflows\/([^/]+)\/edit\/json(?:\.data)?$/;
const RUN = /^\/dashboard\/workflows\/[^/]+\/run(?:\.data)?$/;
const PICTURE = /^\/dashboard\/account\/profile\/picture(?:\.data)?$/;

/** The reason for which a path takes more than a form; null where there is none. */
export function largeBodyOf(path: string): { kind: 'workflow'; id: string } | { kind: 'picture' } | { kind: 'upload' } | null {
  const id = WORKFLOW_DOCUMENT.exec(path)?.[1];
  if (id !== undefined) return { kind: 'workflow', id };
  if (RUN.test(path)) return { kind: 'upload' };
  return PICTURE.test(path) ? { kind: 'picture' } : null;
}

/** Bytes that the body of a program's call may have. It is read once its key has been looked at. */
export const programMaxBytes = (path: string): number => (path === '/api/v1/files' ? PROGRAM_FILE_MAX_BYTES : FORM_MAX_BYTES);
