import { fieldsOf, textOf } from '#app/engine/directory/read-values.ts';
import { ScimError } from '#app/engine/directory/scim-error.ts';

/** One thing to do: `path` as it was sent. */
export type Operation = { op: 'add' | 'replace' | 'remove'; path: string; value: unknown };

const MAX_OPERATIONS = 1_000;
const KINDS = ['add', 'replace', 'remove'] as const;

/**
 * The operations of a PATCH (RFC 7644, section 3.5.2). One without a path stands for one of each member of its value, whose name is a path;
 * Entra writes `op` with a capital, and dots in such names.
 */
export function readOperations(body: unknown): Operation[] {
  const given = fieldsOf(body)?.get('operations');
  if (!Array.isArray(given) || given.length === 0) throw new ScimError(400, 'A PATCH has Operations.', 'invalidSyntax');
  if (given.length > MAX_OPERATIONS) throw new ScimError(400, `A PATCH has at most ${MAX_OPERATIONS} operations.`, 'tooMany');
  return given.flatMap((one) => {
    const fields = fieldsOf(one);
    const op = KINDS.find((kind) => kind === String(fields?.get('op')).toLowerCase());
    if (fields === null || op === undefined) throw new ScimError(400, 'An operation is add, replace or remove.', 'invalidSyntax');
    const value = fields.get('value');
    const path = textOf(fields.get('path'), 'path');
    if (path !== null) return [{ op, path, value }];
    if (op === 'remove') throw new ScimError(400, 'What is removed has a path.', 'noTarget');
    if (fieldsOf(value) === null) throw new ScimError(400, 'Without a path the value is an object.', 'invalidValue');
    return Object.entries(value as object).map(([name, part]) => ({ op, path: name, value: part }));
  });
}
