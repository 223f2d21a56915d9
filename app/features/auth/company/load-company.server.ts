import { type ActionFunctionArgs, href, type LoaderFunctionArgs, redirect } from 'react-router';
import { z } from 'zod';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { domainOf } from '#app/domain/people/company-sign-in.ts';
import { type Realm, realmOfDomain, realmOfWorkspace } from '#app/engine/company/company-provider.ts';
import { type CompanyRefusal, readRefusal } from '#app/features/auth/company/company-failure.ts';
import { HOME_PATH, returnPath } from '#app/features/auth/session/return-path.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { emailFormSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import { emailCookie } from '#app/features/auth/sign-in/email-cookie.ts';
import { clientBlock, invalidFields, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

/** `asked`: a domain was asked about. `required`: the workspace asks for its own sign-in. */
export type CompanyView = {
  realm: { providerName: string; workspaceName: string; start: string } | null;
  asked: string | null;
  required: boolean;
  failed: CompanyRefusal | null;
};

/** Where to sign in by a company's provider: for the domain of an address, or for a workspace that asks for it. */
export async function loadCompany({ url, context }: LoaderFunctionArgs): Promise<CompanyView> {
  const { access } = context.get(servicesContext);
  const domain = url.searchParams.get('domain');
  const workspace = z.uuid().safeParse(url.searchParams.get('workspace')).data;
  const realm = await access.asNobody((db) =>
    workspace !== undefined ? realmOfWorkspace(db, workspace) : domain === null ? Promise.resolve(null) : realmOfDomain(db, domain),
  );
  return {
    realm: realm === null ? null : { ...withoutId(realm), start: startPath(realm, url) },
    asked: domain,
    required: workspace !== undefined,
    failed: readRefusal(url.searchParams.get('failed')),
  };
}

const withoutId = ({ providerName, workspaceName }: Realm) => ({ providerName, workspaceName });

function startPath({ provider }: Realm, url: URL): string {
  const next = returnPath(url.searchParams.get('next'));
  return `${href('/sign-in/company/start')}?${new URLSearchParams({ provider, ...(next === HOME_PATH ? {} : { next }) })}`;
}

/** An address alone leads to the provider of its domain, or to the word that there is none: nothing of the account itself. */
export async function askForCompany({ request, url, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, emailFormSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const wait = await takeAttempts(context.get(servicesContext).access, [{ limit: 'companyAddress', subject: clientBlock(context) }]);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);
  const { email } = parsed.value;
  const next = returnPath(url.searchParams.get('next'));
  const query = new URLSearchParams({ domain: domainOf(email), ...(next === HOME_PATH ? {} : { next }) });
  return redirect(`${href('/sign-in/company')}?${query}`, {
    status: 303,
    headers: { 'Set-Cookie': emailCookie(email, context.get(clientContext).secure) },
  });
}
