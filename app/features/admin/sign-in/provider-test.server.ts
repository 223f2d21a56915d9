import { type ActionFunctionArgs, data, href, type LoaderFunctionArgs } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { COMPANY_FAILURES } from '#app/contracts/company-sign-in.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { personIn } from '#app/domain/people/company-sign-in.ts';
import { noteProviderTest } from '#app/engine/commands/sign-in/note-provider-test.ts';
import { peekOnce, TEST_RESULT, takeOnce } from '#app/engine/company/one-time.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { loadProvider } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { performAsMember } from '#app/perform.server.ts';

const resultSchema = z.object({ subject: z.string(), claims: z.record(z.string(), z.unknown()) });
const LONGEST_CLAIM = 500;

/** The claims of a test sign-in, and the person that the workspace would see in them. Nothing has changed by it. */
export async function loadProviderTest(args: LoaderFunctionArgs) {
  const { url, context } = args;
  const provider = await loadProvider(args);
  const { access, engine } = context.get(servicesContext);
  const secret = url.searchParams.get('result') ?? '';
  const found = await access.asNobody((db) => peekOnce(db, engine.sealer, { secret, purpose: TEST_RESULT }, resultSchema));
  const failed = COMPANY_FAILURES.find((failure) => failure === url.searchParams.get('failed')) ?? null;
  if (found === null || found.provider !== provider.id) return { provider, failed, result: null };
  const { claims, subject } = found.value;
  const names = { email: provider.emailClaim, name: provider.nameClaim, groups: provider.groupsClaim };
  return {
    provider,
    failed,
    result: {
      secret,
      subject,
      person: personIn(claims, names, provider.emailsVerified),
      claims: Object.entries(claims).map(([name, value]) => ({ name, value: shown(value) })),
    },
  };
}
export type ProviderTest = Awaited<ReturnType<typeof loadProviderTest>>;

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST_CLAIM);

/** The admin has seen the claims: the provider counts as tested. The result is taken, so that it says so once. */
export async function confirmProviderTest({ request, params, context }: ActionFunctionArgs) {
  requirePermission(context, 'manageMembers');
  const { access, engine } = context.get(servicesContext);
  const secret = String((await request.formData()).get('result') ?? '');
  const found = await access.asNobody((db) => takeOnce(db, engine.sealer, { secret, purpose: TEST_RESULT }, resultSchema));
  const id = params.provider ?? '';
  const page = href('/dashboard/admin/sign-in/:provider', { provider: id });
  if (found === null || found.provider !== id) throw data({ code: 'not_found' }, { status: 404 });
  await performAsMember(context, noteProviderTest, { id });
  return redirectWithNotice(page, 'providerTested');
}
