/**
 * Ends a switch that names every case: the compiler refuses the switch once a case is missing. Throws for a value that is outside its type
 * all the same, such as a row that a newer version has written.
 */
export function assertNever(value: never): never {
  const outside: unknown = value;
  throw new TypeError(`no case for ${typeof outside === 'object' ? JSON.stringify(outside)?.slice(0, 200) : String(outside)}`);
}
