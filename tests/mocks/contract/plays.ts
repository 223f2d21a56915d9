/**
 * What a stranger does with supabase-js, and what comes of it, told without ids and times. Each play must tell the same of every backend
 * (see differences.ts for what it may not).
 */
import type { Session, SupabaseClient, User } from '@supabase/supabase-js';
import type { ContractBackend } from '#tests/mocks/contract/backends.ts';

export const PASSWORD = 'correct horse battery';

type Play = (backend: ContractBackend) => Promise<unknown>;

type Failure = { name: string; status?: number | undefined; code?: string | undefined; reasons?: string[] };
const told = (error: Failure | null) =>
  error === null
    ? 'done'
    : { failure: error.name, status: error.status, code: error.code, ...(error.reasons === undefined ? {} : { reasons: error.reasons }) };

const tellUser = (user: User | null | undefined) =>
  user == null
    ? null
    : {
        audience: user.aud,
        role: user.role,
        confirmed: user.email_confirmed_at != null,
        identities: user.identities?.map(({ provider }) => provider),
        provider: user.app_metadata.provider,
      };
const tellSession = (session: Session | null | undefined) =>
  session == null
    ? null
    : {
        type: session.token_type,
        seconds: session.expires_in,
        endsInAnHour: Math.abs((session.expires_at ?? 0) - Date.now() / 1000 - 3_600) < 10,
        refreshable: session.refresh_token !== '',
        user: tellUser(session.user),
      };

/** Signs up and confirms by the link's hash. */
async function newcomer(backend: ContractBackend): Promise<{ email: string; client: SupabaseClient; session: Session }> {
  const email = backend.newEmail();
  const client = backend.client();
  await client.auth.signUp({ email, password: PASSWORD });
  const mail = backend.mailTo(email);
  const { data } = await client.auth.verifyOtp({ token_hash: mail?.tokenHash ?? '', type: 'signup' });
  if (data.session === null) throw new Error('the newcomer has no session');
  return { email, client, session: data.session };
}

type Newcomer = Awaited<ReturnType<typeof newcomer>>;
const known = new WeakMap<ContractBackend, Promise<Newcomer>>();
/** One for all plays that leave the account as it is: each sign-up costs the service a hash. */
function anybody(backend: ContractBackend): Promise<Newcomer> {
  const person = known.get(backend) ?? newcomer(backend);
  known.set(backend, person);
  return person;
}

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

async function raw(backend: ContractBackend, path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const response = await backend.fetch(`${backend.url}${path}`, init);
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

export const PLAYS: Record<string, Play> = {
  'signing up makes an account that waits': async (backend) => {
    const email = backend.newEmail();
    const { data, error } = await backend.client().auth.signUp({ email, password: PASSWORD, options: { data: { name: 'Ada' } } });
    return {
      error: told(error),
      session: data.session,
      user: tellUser(data.user),
      name: data.user?.user_metadata.name,
      mail: backend.mailTo(email)?.type,
    };
  },
  'signing up with five characters': async (backend) =>
    told((await backend.client().auth.signUp({ email: backend.newEmail(), password: 'abcde' })).error),
  'signing up with more than 72 bytes': async (backend) =>
    told((await backend.client().auth.signUp({ email: backend.newEmail(), password: 'x'.repeat(73) })).error),
  'signing up with no address': async (backend) =>
    told((await backend.client().auth.signUp({ email: 'nobody', password: PASSWORD })).error),
  'signing up again with a confirmed address': async (backend) => {
    const { email } = await anybody(backend);
    const before = backend.countMails(email);
    const { data, error } = await backend.client().auth.signUp({ email, password: 'another password' });
    return { error: told(error), identities: data.user?.identities, mails: backend.countMails(email) - before };
  },
  'signing in before the mail is confirmed': async (backend) => {
    const email = backend.newEmail();
    await backend.client().auth.signUp({ email, password: PASSWORD });
    return told((await backend.client().auth.signInWithPassword({ email, password: PASSWORD })).error);
  },
  'a wrong password before the mail is confirmed': async (backend) => {
    const email = backend.newEmail();
    await backend.client().auth.signUp({ email, password: PASSWORD });
    return told((await backend.client().auth.signInWithPassword({ email, password: 'another one' })).error);
  },
  'signing in': async (backend) => {
    const { email } = await anybody(backend);
    const { data, error } = await backend.client().auth.signInWithPassword({ email: email.toUpperCase(), password: PASSWORD });
    return { error: told(error), session: tellSession(data.session) };
  },
  'signing in with a wrong password, or as nobody': async (backend) => {
    const { email } = await anybody(backend);
    const wrong = await backend.client().auth.signInWithPassword({ email, password: 'another one' });
    const nobody = await backend.client().auth.signInWithPassword({ email: backend.newEmail(), password: PASSWORD });
    return [told(wrong.error), told(nobody.error)];
  },
  'what an access token says': async (backend) => {
    const { session, email } = await anybody(backend);
    const claims = claimsOf(session.access_token);
    return {
      audience: claims.aud,
      role: claims.role,
      sameEmail: claims.email === email,
      sameUser: claims.sub === session.user.id,
      hasSession: typeof claims.session_id === 'string',
      assurance: claims.aal,
      life: Number(claims.exp) - Number(claims.iat),
    };
  },
  'a confirmation link works once': async (backend) => {
    const { email } = await anybody(backend);
    const mail = backend.mailTo(email);
    return told((await backend.client().auth.verifyOtp({ token_hash: mail?.tokenHash ?? '', type: 'signup' })).error);
  },
  'a link that was never sent': async (backend) =>
    told((await backend.client().auth.verifyOtp({ token_hash: 'a'.repeat(56), type: 'signup' })).error),
  'the six digits, wrong and right': async (backend) => {
    const email = backend.newEmail();
    await backend.client().auth.signUp({ email, password: PASSWORD });
    const code = backend.mailTo(email)?.code ?? '';
    const wrong = await backend.client().auth.verifyOtp({ email, token: code === '000000' ? '000001' : '000000', type: 'signup' });
    const right = await backend.client().auth.verifyOtp({ email, token: code, type: 'signup' });
    return { wrong: told(wrong.error), right: told(right.error), session: tellSession(right.data.session) };
  },
  'the code of a sign-up as type email': async (backend) => {
    const email = backend.newEmail();
    await backend.client().auth.signUp({ email, password: PASSWORD });
    const { error } = await backend.client().auth.verifyOtp({ email, token: backend.mailTo(email)?.code ?? '', type: 'email' });
    return told(error);
  },
  'a refresh gives new tokens, and the old one is good for a moment': async (backend) => {
    const { client, session } = await newcomer(backend);
    const first = await client.auth.refreshSession({ refresh_token: session.refresh_token });
    const again = await backend.client().auth.refreshSession({ refresh_token: session.refresh_token });
    return {
      first: told(first.error),
      newToken: first.data.session?.refresh_token !== session.refresh_token,
      sameSession: claimsOf(first.data.session?.access_token ?? '').session_id === claimsOf(session.access_token).session_id,
      again: told(again.error),
    };
  },
  'a refresh with a token of nobody': async (backend) =>
    told((await backend.client().auth.refreshSession({ refresh_token: 'no-such-token' })).error),
  'asking who one is': async (backend) => {
    const { client } = await anybody(backend);
    const { data, error } = await client.auth.getUser();
    return { error: told(error), user: tellUser(data.user) };
  },
  'asking who one is without a session': async (backend) => told((await backend.client().auth.getUser()).error),
  'asking who one is with a forged token': async (backend) => {
    const { session } = await anybody(backend);
    const [head, body] = session.access_token.split('.');
    return told((await backend.client().auth.getUser(`${head}.${body}.${'A'.repeat(43)}`)).error);
  },
  'asking who one is after signing out': async (backend) => {
    const { client, session } = await newcomer(backend);
    const out = await client.auth.signOut({ scope: 'local' });
    return { out: told(out.error), afterwards: told((await backend.client().auth.getUser(session.access_token)).error) };
  },
  'signing out the others leaves this one': async (backend) => {
    const { email, client, session } = await newcomer(backend);
    const other = backend.client();
    const { data } = await other.auth.signInWithPassword({ email, password: PASSWORD });
    const out = await other.auth.signOut({ scope: 'others' });
    const ask = async (token: string) => told((await backend.client().auth.getUser(token)).error);
    void client;
    return { out: told(out.error), here: await ask(data.session?.access_token ?? ''), there: await ask(session.access_token) };
  },
  'signing out everywhere': async (backend) => {
    const { email, client, session } = await newcomer(backend);
    const { data } = await backend.client().auth.signInWithPassword({ email, password: PASSWORD });
    await client.auth.signOut({ scope: 'global' });
    const ask = async (token: string) => told((await backend.client().auth.getUser(token)).error);
    return [await ask(session.access_token), await ask(data.session?.access_token ?? '')];
  },
  'a refresh of a session that was ended': async (backend) => {
    const { client, session } = await newcomer(backend);
    await client.auth.signOut({ scope: 'global' });
    return told((await backend.client().auth.refreshSession({ refresh_token: session.refresh_token })).error);
  },
  'recovery: a mail, a session, a new password': async (backend) => {
    const { email } = await newcomer(backend);
    const person = backend.client();
    const asked = await person.auth.resetPasswordForEmail(email);
    const mail = backend.mailTo(email);
    const opened = await person.auth.verifyOtp({ token_hash: mail?.tokenHash ?? '', type: 'recovery' });
    const same = await person.auth.updateUser({ password: PASSWORD });
    const short = await person.auth.updateUser({ password: 'abcde' });
    const changed = await person.auth.updateUser({ password: 'another good one' });
    const old = await backend.client().auth.signInWithPassword({ email, password: PASSWORD });
    const fresh = await backend.client().auth.signInWithPassword({ email, password: 'another good one' });
    return {
      asked: told(asked.error),
      type: mail?.type,
      opened: told(opened.error),
      same: told(same.error),
      short: told(short.error),
      changed: told(changed.error),
      old: told(old.error),
      fresh: told(fresh.error),
    };
  },
  'a mail to sign in: its link once, and its code': async (backend) => {
    const { email } = await newcomer(backend);
    const asked = await backend.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const mail = backend.mailTo(email);
    const opened = await backend.client().auth.verifyOtp({ token_hash: mail?.tokenHash ?? '', type: 'magiclink' });
    const session = tellSession(opened.data.session);
    const again = await backend.client().auth.verifyOtp({ token_hash: mail?.tokenHash ?? '', type: 'magiclink' });
    const code = await backend.client().auth.verifyOtp({ email, token: mail?.code ?? '', type: 'magiclink' });
    return {
      asked: told(asked.error),
      type: mail?.type,
      opened: told(opened.error),
      session,
      sent: opened.data.user?.recovery_sent_at !== undefined,
      again: told(again.error),
      code: told(code.error),
    };
  },
  'a mail to sign in, used by its code': async (backend) => {
    const { email } = await newcomer(backend);
    await backend.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const code = backend.mailTo(email)?.code ?? '';
    const wrong = await backend.client().auth.verifyOtp({ email, token: code === '000000' ? '000001' : '000000', type: 'magiclink' });
    const right = await backend.client().auth.verifyOtp({ email, token: code, type: 'magiclink' });
    return { wrong: told(wrong.error), right: told(right.error), session: tellSession(right.data.session) };
  },
  'a mail to sign in, for an address that nobody has': async (backend) => {
    const email = backend.newEmail();
    const { error } = await backend.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    return { error: told(error), mails: backend.countMails(email) };
  },
  'a mail to sign in, for an address that nobody has, where a client lets it make an account': async (backend) => {
    const email = backend.newEmail();
    const { error } = await backend.client().auth.signInWithOtp({ email });
    return { error: told(error), mails: backend.countMails(email) };
  },
  'a mail to sign in, before the account is confirmed': async (backend) => {
    const email = backend.newEmail();
    await backend.client().auth.signUp({ email, password: PASSWORD });
    const { error } = await backend.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const mail = backend.mailTo(email);
    const opened = await backend.client().auth.verifyOtp({ token_hash: mail?.tokenHash ?? '', type: 'magiclink' });
    return { asked: told(error), type: mail?.type, opened: told(opened.error) };
  },
  'recovery for an address that nobody has': async (backend) => {
    const email = backend.newEmail();
    const { error } = await backend.client().auth.resetPasswordForEmail(email);
    return { error: told(error), mails: backend.countMails(email) };
  },
  'two recoveries within the minute': async (backend) => {
    const { email } = await newcomer(backend);
    await backend.client().auth.resetPasswordForEmail(email);
    return told((await backend.client().auth.resetPasswordForEmail(email)).error);
  },
  'asking for the confirmation again': async (backend) => {
    const email = backend.newEmail();
    await backend.client().auth.signUp({ email, password: PASSWORD });
    return told((await backend.client().auth.resend({ type: 'signup', email })).error);
  },
  'asking for a confirmation that nobody needs': async (backend) =>
    told((await backend.client().auth.resend({ type: 'signup', email: backend.newEmail() })).error),
  'changing the metadata keeps what was there': async (backend) => {
    const { client } = await newcomer(backend);
    await client.auth.updateUser({ data: { name: 'Ada', tall: true } });
    const { data, error } = await client.auth.updateUser({ data: { name: 'Ada L.' } });
    return { error: told(error), name: data.user?.user_metadata.name, tall: data.user?.user_metadata.tall };
  },
  'metadata gives no right': async (backend) => {
    const { client } = await newcomer(backend);
    const { data } = await client.auth.updateUser({ data: { role: 'owner' } });
    await client.auth.refreshSession();
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    return { kept: data.user?.user_metadata.role, role: data.user?.role, claim: claimsOf(token).role };
  },
  'the profile of somebody who has none': async (backend) => {
    const { client, session } = await anybody(backend);
    const { data, error, status } = await client.from('profiles').select('id, role').eq('id', session.user.id).single();
    return { data, status, code: error?.code };
  },
  'one’s own profile, made, changed and read': async (backend) => {
    const { client, session } = await newcomer(backend);
    const made = await client.from('profiles').upsert({ id: session.user.id, display_name: 'Ada' });
    const changed = await client.from('profiles').upsert({ id: session.user.id, display_name: 'Ada L.' });
    const { data } = await client.from('profiles').select('role, display_name').eq('id', session.user.id).single();
    return { made: made.error, changed: changed.error, data };
  },
  'a role that one gives oneself': async (backend) => {
    const { client, session } = await newcomer(backend);
    await client.from('profiles').upsert({ id: session.user.id, display_name: 'Ada' });
    const raised = await client.from('profiles').upsert({ id: session.user.id, role: 'admin' });
    const { data } = await client.from('profiles').select('role').eq('id', session.user.id).single();
    return { code: raised.error?.code, status: raised.status, role: data?.role };
  },
  'a profile of somebody else': async (backend) => {
    const one = await newcomer(backend);
    const other = await newcomer(backend);
    await one.client.from('profiles').upsert({ id: one.session.user.id, display_name: 'Ada' });
    const read = await other.client.from('profiles').select('id').eq('id', one.session.user.id);
    const written = await other.client.from('profiles').upsert({ id: one.session.user.id, display_name: 'Mallory' });
    return { read: read.data, code: written.error?.code };
  },
  'a profile with the key alone': async (backend) => {
    const { client, session } = await newcomer(backend);
    await client.from('profiles').upsert({ id: session.user.id, display_name: 'Ada' });
    return (await backend.client().from('profiles').select('id').eq('id', session.user.id)).data;
  },
  'a profile with the token of a session that is over': async (backend) => {
    const { client, session } = await newcomer(backend);
    await client.from('profiles').upsert({ id: session.user.id, display_name: 'Ada' });
    await client.auth.signOut({ scope: 'local' });
    const copied = backend.client({ token: session.access_token });
    return (await copied.from('profiles').select('id').eq('id', session.user.id)).data;
  },
  'without the key': async (backend) => (await raw(backend, '/rest/v1/profiles?select=id')).status,
  'an unknown grant': async (backend) =>
    (
      await raw(backend, '/auth/v1/token?grant_type=magic', {
        method: 'POST',
        headers: { apikey: backend.key, 'Content-Type': 'application/json' },
        body: '{}',
      })
    ).status,
  'a body that is no JSON': async (backend) =>
    (
      await raw(backend, '/auth/v1/signup', {
        method: 'POST',
        headers: { apikey: backend.key, 'Content-Type': 'application/json' },
        body: '{',
      })
    ).status,
};
