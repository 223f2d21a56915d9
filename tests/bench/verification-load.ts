import { createHmac, randomBytes } from 'node:crypto';
import { createIdentityBackend } from '#app/platform/supabase/identity-backend.server.ts';
import type { BenchWorkspace } from '#tests/bench/bench-workspace.ts';
import type { Line } from '#tests/bench/report.ts';

const COOKIE = 'sb-bench-auth-token';
const REQUESTS = 4_000;
const WARM = 500;

/** What knowing who asks costs a signed-in request: the cookie, the token, and the session's row with the membership. */
export async function measureVerification(bench: BenchWorkspace): Promise<Line[]> {
  const jwtSecret = randomBytes(32).toString('hex');
  const identity = createIdentityBackend({
    mode: 'embedded',
    url: 'http://auth.embedded.invalid',
    key: '',
    fetch: () => Promise.reject(new Error('a verification asks nobody')),
    jwtSecret,
    cookieName: COOKIE,
  });
  const { userId, sessionId, workspaceId } = bench;
  const header = `lng=en; ${COOKIE}=${cookieValue(jwtSecret, { userId, sessionId })}; theme=dark`;
  const verify = async () => {
    const tokens = identity.readCookie(header);
    if (typeof tokens !== 'object') throw new Error('the cookie cannot be read');
    if ((await identity.verifyAccessToken(tokens.accessToken)) === null) throw new Error('the token does not verify');
  };
  const verifyWithRow = async () => {
    await verify();
    await bench.database.asMember({ userId, sessionId, workspaceId }, async (_, roles) => roles, { readOnly: true });
  };
  return [
    { what: 'CPU of a verification, token alone', value: await cpuOf(verify), unit: 'ms', limit: 0.5, better: 'less' },
    { what: 'CPU of a verification, with its session row', value: await cpuOf(verifyWithRow), unit: 'ms', limit: 0.5, better: 'less' },
  ];
}

/** CPU of this process for one call, over many. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  for (let at = 0; at < WARM; at += 1) await work();
  const before = process.cpuUsage();
  for (let at = 0; at < REQUESTS; at += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / REQUESTS;
}

function cookieValue(secret: string, subject: { userId: string; sessionId: string }): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const expiresAt = Math.floor(Date.now() / 1_000) + 3_600;
  const claims = {
    sub: subject.userId,
    session_id: subject.sessionId,
    aud: 'authenticated',
    role: 'authenticated',
    email: 'bench@bench.example',
    exp: expiresAt,
  };
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  return `base64-${part({ access_token: token, refresh_token: 'none', expires_at: expiresAt })}`;
}
