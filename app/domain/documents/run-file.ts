import { z } from 'zod';
import { visibleText } from '#app/domain/connections/hidden-text.ts';

/** Bytes that a file of a run may have: the file store takes no more. */
export const FILE_MAX_BYTES = 10_485_760;
export const FILE_NAME_MAX = 120;

/** A file as the input of a run and the output of a step name it. `file`: its id; `sha256`: of its content, in hex. */
export const runFileSchema = z.object({
  file: z.uuid(),
  name: z.string().min(1).max(FILE_NAME_MAX),
  mediaType: z.string().min(1).max(120),
  size: z.number().int().min(0).max(FILE_MAX_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type RunFile = z.infer<typeof runFileSchema>;

/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name as every system can store it: no path, no control or format characters, an ending kept. Empty: nothing is left of it. */
export function plainFileName(name: string): string {
  const plain = visibleText(name.normalize('NFC'))
    .replace(/[/\\:*?"<>|\s]+/g, (signs) => (/^\s+$/.test(signs) ? ' ' : '-'))
    .trim()
    .replace(/^\.+|[. ]+$/g, '');
  if (plain.length <= FILE_NAME_MAX) return DEVICE.test(plain) ? `-${plain}` : plain;
  const ending = /\.[^.]{1,10}$/.exec(plain)?.[0] ?? '';
  return `${plain.slice(0, FILE_NAME_MAX - ending.length).replace(/[\uD800-\uDBFF]$/, '')}${ending}`;
}
