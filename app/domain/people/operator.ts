/** Who answers for an instance by law. `address` is one line, its parts set apart by commas. */
export type Operator = { name: string; address: string | null; email: string | null };
