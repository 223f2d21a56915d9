import { AppError } from '#app/domain/errors.ts';
import { ScimError, scimErrorBody } from '#app/engine/directory/scim-error.ts';
import { isSqlState, UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';

const SCIM_TYPE = 'application/scim+json';
/** Seconds after which a call may be repeated that met others, or a database that is away. */
const AGAIN_SECONDS = '5';

/** An answer of SCIM (RFC 7644, section 3.1): never kept by anybody. */
export function scimAnswer(body: unknown, { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {}) {
  const text = body === null ? null : JSON.stringify(body);
  return new Response(text, {
    status,
    headers: { ...(text !== null && { 'Content-Type': SCIM_TYPE }), 'Cache-Control': 'private, no-store', ...headers },
  });
}

export const scimRefusal = (error: ScimError, headers: Record<string, string> = {}) =>
  scimAnswer(scimErrorBody(error.status, error.message, error.scimType), { status: error.status, headers });

/** The refusal that an expected failure means to a directory; null for a defect. */
export function refusalOf(error: unknown): ScimError | null {
  if (error instanceof ScimError) return error;
  if (isSqlState(error, UNIQUE_VIOLATION)) return new ScimError(409, 'There is one of this name already.', 'uniqueness');
  if (isSqlState(error, 'QM001'))
    return new ScimError(409, 'This person is the last administrator of the workspace. Make another one first.', 'mutability');
  if (isSqlState(error, 'QD001'))
    return new ScimError(403, 'Another administrator has to confirm this token before it gives or takes roles of control.');
  if (!(error instanceof AppError)) return null;
  if (error.code === 'not_found') return new ScimError(404, 'There is no such resource.');
  if (error.code === 'unauthenticated') return new ScimError(401, 'This token is unknown, over or revoked.');
  if (error.code === 'invalid_input') return new ScimError(400, 'The request cannot be read.', 'invalidSyntax');
  return new ScimError(error.status, error.code === 'unavailable' ? 'Not available right now. Nothing was changed.' : 'This is refused.');
}

export const retryHeaders = (status: number): Record<string, string> => (status === 503 ? { 'Retry-After': AGAIN_SECONDS } : {});
