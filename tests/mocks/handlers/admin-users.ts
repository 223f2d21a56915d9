import { HttpResponse } from 'msw';
import { type Asked, emailOf, endpoint, recordOf, textOf } from '#tests/mocks/handlers/endpoint.ts';
import { type MockBackend, userBody } from '#tests/mocks/mock-backend.ts';
import { MockRefusal, refusals } from '#tests/mocks/mock-refusal.ts';
import type { MailKind, MockUser } from '#tests/mocks/mock-types.ts';

const PER_PAGE = 50;
const LINK_KINDS: Record<string, MailKind> = {
  signup: 'signup',
  invite: 'invite',
  magiclink: 'magiclink',
  recovery: 'recovery',
  email_change_new: 'email_change',
  email_change_current: 'email_change',
};

/** Users for who holds the secret key: create, list, get, update, delete, invite, generate_link. */
export function adminUserHandlers(mock: MockBackend) {
  const userOf = (id: string | undefined): MockUser => {
    const user = mock.users.get(id ?? '');
    if (user === undefined) throw refusals.userMissing();
    return user;
  };
  const admin = (
    method: 'get' | 'post' | 'put' | 'delete',
    path: string,
    work: (asked: Asked) => Promise<Record<string, unknown> | Response>,
  ) =>
    endpoint(mock, method, path, (asked) => {
      const bearer = /^Bearer (.+)$/i.exec(asked.request.headers.get('Authorization') ?? '')?.[1];
      if (bearer === undefined) throw refusals.noAuthorization();
      if (bearer !== mock.settings.secretKey) throw new MockRefusal(403, 'not_admin', 'User not allowed');
      return work(asked);
    });
  return [
    admin('post', '/auth/v1/admin/users', async ({ body }) => {
      const email = emailOf(body.email);
      refuseTaken(mock, email);
      const password = textOf(body.password) || null;
      if (password !== null) mock.checkPassword(password);
      const user = await mock.addUser({
        email,
        password,
        confirmedAt: body.email_confirm === true ? mock.now() : null,
        userMetadata: recordOf(body.user_metadata),
        appMetadata: recordOf(body.app_metadata),
      });
      return userBody(user);
    }),
    admin('get', '/auth/v1/admin/users', async ({ url }) => {
      const perPage = Number(url.searchParams.get('per_page')) || PER_PAGE;
      const page = Number(url.searchParams.get('page')) || 1;
      const users = [...mock.users.values()].reverse();
      return HttpResponse.json(
        { users: users.slice((page - 1) * perPage, page * perPage).map(userBody), aud: 'authenticated' },
        { headers: { 'X-Total-Count': String(users.length), Link: linkHeader(page, Math.max(1, Math.ceil(users.length / perPage))) } },
      );
    }),
    admin('get', '/auth/v1/admin/users/:user', async ({ params }) => userBody(userOf(params.user))),
    admin('put', '/auth/v1/admin/users/:user', async ({ params, body }) => {
      const user = userOf(params.user);
      if (body.password !== undefined) {
        mock.checkPassword(textOf(body.password));
        user.password = textOf(body.password);
      }
      if (body.email !== undefined) user.email = emailOf(body.email);
      if (body.email_confirm === true) user.confirmedAt ??= mock.now();
      if (body.user_metadata !== undefined) user.userMetadata = { ...user.userMetadata, ...recordOf(body.user_metadata) };
      if (body.app_metadata !== undefined) user.appMetadata = { ...user.appMetadata, ...recordOf(body.app_metadata) };
      if (body.ban_duration !== undefined) {
        const hours = Number.parseInt(textOf(body.ban_duration), 10);
        user.bannedUntil = Number.isNaN(hours) ? null : new Date(mock.now().getTime() + hours * 3_600_000);
      }
      await mock.saveUser(user);
      return userBody(user);
    }),
    admin('delete', '/auth/v1/admin/users/:user', async ({ params }) => {
      await mock.removeUser(userOf(params.user));
      return {};
    }),
    admin('post', '/auth/v1/invite', async ({ body, url }) => {
      const email = emailOf(body.email);
      refuseTaken(mock, email);
      const user = mock.userByEmail(email) ?? (await mock.addUser({ email, invitedAt: mock.now(), userMetadata: recordOf(body.data) }));
      mock.mail(user, 'invite', { challenge: null, redirectTo: url.searchParams.get('redirect_to') });
      return userBody(user);
    }),
    admin('post', '/auth/v1/admin/generate_link', async ({ body, url }) => {
      const type = textOf(body.type);
      const kind = LINK_KINDS[type];
      if (kind === undefined) throw refusals.invalid(`Invalid email action link type requested: ${type}`);
      const email = emailOf(body.email);
      const standing = mock.userByEmail(email);
      if (standing === undefined && (type === 'recovery' || type.startsWith('email_change'))) throw refusals.userMissing();
      if (type === 'signup' && standing?.confirmedAt) refuseTaken(mock, email);
      const user = standing ?? (await mock.addUser({ email, password: textOf(body.password) || null, userMetadata: recordOf(body.data) }));
      const redirectTo = url.searchParams.get('redirect_to') ?? (textOf(body.redirect_to) || mock.settings.siteUrl);
      const { hash, code } = mock.mail(user, kind, { challenge: null, redirectTo, paced: false });
      const link = `${mock.settings.url}/auth/v1/verify?${new URLSearchParams({ token: hash, type, redirect_to: redirectTo })}`;
      return {
        ...userBody(user),
        action_link: link,
        email_otp: code,
        hashed_token: hash,
        verification_type: type,
        redirect_to: redirectTo,
      };
    }),
  ];
}

function refuseTaken(mock: MockBackend, email: string): void {
  if (mock.userByEmail(email)?.confirmedAt)
    throw new MockRefusal(422, 'email_exists', 'A user with this email address has already been registered');
}

/** Where the next and the last page are (RFC 8288). */
function linkHeader(page: number, last: number): string {
  const link = (to: number, rel: string) => `</admin/users?page=${to}>; rel="${rel}"`;
  return [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', ');
}
