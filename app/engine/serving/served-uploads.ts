import type { Json } from '#app/contracts/json.ts';
import type { Principal } from '#app/contracts/principals.ts';
import { AppError } from '#app/domain/errors.ts';
import { takesFiles } from '#app/domain/workflows/fields/check-fields.ts';
import { LIST_MAX } from '#app/domain/workflows/fields/field-types.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import { acceptUpload, type UploadDeps } from '#app/engine/documents/accept-upload.ts';
import { readInputFiles } from '#app/engine/documents/take-files.ts';

/**
 * A caller's input with its files as a run has them: contents in base64 are kept as uploads, and what is said of earlier ones is what the database
 * says. @throws AppError invalid_input for a file that is not taken or not there
 */
export async function withUploads(
  principal: Principal,
  deps: UploadDeps,
  fields: readonly InputField[],
  input: { [name: string]: Json },
): Promise<{ [name: string]: Json }> {
  if (!fields.some(takesFiles)) return input;
  const keep = async (name: string, value: Json): Promise<Json> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || typeof value.base64 !== 'string') return value;
    const content = Buffer.from(value.base64, 'base64');
    const file = await acceptUpload(principal, deps, { name: typeof value.name === 'string' ? value.name : '', content });
    if ('fault' in file) throw new AppError('invalid_input', { values: { fields: name, file: file.fault } });
    return file;
  };
  const kept = { ...input };
  for (const { name } of fields.filter(takesFiles)) {
    const value = input[name];
    if (value === undefined) continue;
    if (!Array.isArray(value)) kept[name] = await keep(name, value);
    else {
      const files: Json[] = [];
      for (const one of value.slice(0, LIST_MAX)) files.push(await keep(name, one));
      // More than a list may have is refused as such.
      kept[name] = [...files, ...value.slice(LIST_MAX)];
    }
  }
  return (await principal.read((db) => readInputFiles(db, fields, kept))).input;
}
