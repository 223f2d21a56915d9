import type { AccessTokenClaims } from '#app/contracts/identity.ts';
import type { Services } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { ANONYMOUS_MAX_BYTES, DOCUMENT_MAX_BYTES, FORM_MAX_BYTES, largeBodyOf, UPLOAD_MAX_BYTES } from '#app/domain/web/body-limits.ts';
import { chosenMembership } from '#app/features/auth/session/chosen-workspace.server.ts';

/**
 * How many bytes the body of a form may have, decided before one is read: 256 KB from anyone, 1 MB from whoever is signed in, 8 MB from a
 * member for their own picture or for a workflow that they may edit, 21 MB from one for the files of a run. `large`: it is announced with more than 256 KB, or with no length.
 */
export async function bodyAllowance(
  { identity, access }: Pick<Services, 'identity' | 'access'>,
  { path, cookieHeader, large, address }: { path: string; cookieHeader: string | null; large: boolean; address: string },
): Promise<{ known: boolean; maxBytes: number }> {
  const cookie = identity.readCookie(cookieHeader);
  // Where the keys cannot be had nobody is known, and the route says that the service is away.
  const claims = typeof cookie === 'object' ? await identity.verifyAccessToken(cookie.accessToken).catch(() => null) : null;
  if (claims === null) return { known: false, maxBytes: ANONYMOUS_MAX_BYTES };
  const wanted = large ? largeBodyOf(path) : null;
  if (wanted === null) return { known: true, maxBytes: FORM_MAX_BYTES };
  const allowed = await isMemberFor(access, { ...claims, address }, cookieHeader, wanted.kind === 'workflow' ? wanted.id : null);
  return { known: true, maxBytes: allowed ? (wanted.kind === 'upload' ? UPLOAD_MAX_BYTES : DOCUMENT_MAX_BYTES) : FORM_MAX_BYTES };
}

/** Whether they are a member, and where a workflow is named, one who may edit it in the workspace that they work in. */
async function isMemberFor(
  access: Services['access'],
  { userId, sessionId, address }: AccessTokenClaims & { address: string },
  cookieHeader: string | null,
  workflow: string | null,
): Promise<boolean> {
  try {
    const [first, ...rest] = await access.membershipsOf({ userId, sessionId, countUpTo: 0, address });
    if (first === undefined || workflow === null) return first !== undefined;
    const current = chosenMembership([first, ...rest], cookieHeader);
    if (!can(current.roles, 'authorWorkflow')) return false;
    const workspaceId = current.workspace.id;
    const found = await access.asMember({ userId, sessionId, workspaceId, address }, (db) =>
      db.selectFrom('quorate.artifacts').select('id').where('workspace_id', '=', workspaceId).where('id', '=', workflow).executeTakeFirst(),
    );
    return found !== undefined;
  } catch (error) {
    // An outage, a session that has ended, an invalid id: the smaller limit, and the route reports the reason.
    if (error instanceof AppError) return false;
    throw error;
  }
}
