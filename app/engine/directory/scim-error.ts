/** Why a request was wrong, in the closed list of RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** A call of a directory that is refused: its status, and a sentence in English for whoever reads the provider's log. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | null;
  constructor(status: number, detail: string, scimType: ScimType | null = null) {
    super(detail);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The body of an error (RFC 7644, section 3.12). */
export const scimErrorBody = (status: number, detail: string, scimType: ScimType | null = null) => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType !== null && { scimType }),
  detail,
});

export const notFound = (kind: string, id: string) => new ScimError(404, `There is no ${kind} ${id}.`);
export const invalidValue = (detail: string) => new ScimError(400, detail, 'invalidValue');
