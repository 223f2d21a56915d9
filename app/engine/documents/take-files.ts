import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { AppError } from '#app/domain/errors.ts';
import { takesFiles } from '#app/domain/workflows/fields/check-fields.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';

type Values = { [name: string]: Json };

const fileOf = (value: Json | undefined): string | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value.file === 'string' ? value.file : null;

/**
 * A run's input with what the database knows of its files in the place of what the caller says of them. Only files that the caller may see are
 * taken. Returns their ids beside it. @throws AppError invalid_input
 */
export async function readInputFiles(db: Db, fields: readonly InputField[], input: Values): Promise<{ input: Values; files: string[] }> {
  const named = fields.filter((field) => takesFiles(field) && Object.hasOwn(input, field.name));
  const refuse = (name: string): never => {
    throw new AppError('invalid_input', { values: { fields: name, file: name } });
  };
  const idsOf = ({ name, type }: InputField): string[] => {
    const value = input[name];
    const values = type === 'list' ? (Array.isArray(value) ? value : refuse(name)) : [value];
    return values.map((one) => fileOf(one) ?? refuse(name));
  };
  const ids = named.flatMap(idsOf);
  if (ids.length === 0) return { input, files: [] };
  const rows = await db
    .selectFrom('quorate.run_files')
    .where('id', 'in', ids)
    .select(['id', 'name', 'media_type', 'size', 'sha256'])
    .execute();
  const known = new Map(
    rows.map(({ id, name, media_type, size, sha256 }) => [id, { file: id, name, mediaType: media_type, size, sha256 }]),
  );
  const files = named.map((field) => {
    const found = idsOf(field).map((id) => known.get(id) ?? refuse(field.name));
    return [field.name, field.type === 'list' ? found : (found[0] ?? null)] as const;
  });
  return { input: { ...input, ...Object.fromEntries(files) }, files: [...new Set(ids)] };
}

/** Uploads that no run has taken belong to this one from here on, and go with it. */
export async function takeFiles(db: Db, runId: string, files: readonly string[]): Promise<void> {
  if (files.length > 0) await sql`select quorate.take_run_files(${runId}, ${files}::uuid[])`.execute(db);
}
