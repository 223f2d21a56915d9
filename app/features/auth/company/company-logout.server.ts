import { decodeJwt } from 'jose';
import type { ActionFunctionArgs } from 'react-router';
import { z } from 'zod';
import { CompanySignInError } from '#app/contracts/company-sign-in.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { endCompanySessions } from '#app/engine/commands/sign-in/end-company-sessions.ts';
import { noteRefusal } from '#app/engine/commands/sign-in/note-refusal.ts';
import { providersNamed, readProvider } from '#app/engine/company/company-provider.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { clientBlock } from '#app/features/auth/sign-in/refused-form.server.ts';

const MAX_TOKEN = 16_384;
const HEADERS = { 'Cache-Control': 'no-store' };

/**
 * A provider says that somebody has signed out there (OpenID Connect Back-Channel Logout 1.0): 200 when the token holds, and its sessions
 * have ended; 400 otherwise.
 */
export async function endByCompany({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const services = context.get(servicesContext);
  const { access, engine, oidc } = services;
  const wait = await takeAttempts(access, [{ limit: 'companyLogout', subject: clientBlock(context) }]);
  if (wait > 0) return new Response(null, { status: 429, headers: { ...HEADERS, 'Retry-After': String(wait) } });
  const workspace = z.uuid().safeParse(params.workspace).data;
  const token = (await request.formData()).get('logout_token');
  const issuer = typeof token === 'string' && token.length <= MAX_TOKEN ? issuerOf(token) : null;
  if (workspace === undefined || typeof token !== 'string' || issuer === null) return refused();
  const ids = await access.asNobody((db) => providersNamed(db, workspace, issuer));
  for (const id of ids) {
    const provider = await access.asNobody((db) => readProvider(db, engine.sealer, id));
    if (provider?.called.protocol !== 'oidc') continue;
    try {
      const { id: jti, subject, sid, expiresAt } = await oidc.readLogout(provider.called, token);
      await performAsNobody(endCompanySessions, services, { provider: id, token: jti, subject, sid, expiresAt });
      return new Response(null, { status: 200, headers: HEADERS });
    } catch (error) {
      if (!(error instanceof CompanySignInError) && !(error instanceof Refusal)) throw error;
      const reason = error instanceof CompanySignInError ? error.failure : 'replayed';
      services.log.warn('a token of a logout was refused', { provider: id, reason });
      await performAsNobody(noteRefusal, services, { provider: id, reason: `logout_${reason}` });
    }
  }
  return refused();
}

const refused = () => Response.json({ error: 'invalid_request' }, { status: 400, headers: HEADERS });

/** The issuer that a token names, before anything of it is believed. */
function issuerOf(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null;
  } catch {
    return null;
  }
}
