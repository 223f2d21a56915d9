import { data, href, type LoaderFunctionArgs, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { samlSettingsSchema } from '#app/contracts/company-sign-in.ts';
import { clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { certificateWarning } from '#app/domain/people/certificate-warning.ts';
import { domainProof, type SignInState, signInStateSchema } from '#app/domain/people/company-sign-in.ts';
import { sessionRulesSchema } from '#app/domain/people/session-rules.ts';
import { describeCertificate } from '#app/engine/company/describe-certificate.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';

type Context = Readonly<RouterContextProvider>;

/** How the people of the workspace sign in: providers, proven domains, which provider counts and for whom. */
export async function loadSignIn(context: Context) {
  const { member, read } = requirePermission(context, 'manageMembers');
  const { origin, identity, now } = context.get(servicesContext);
  const workspaceId = member.workspace.id;
  return read(async (db) => {
    const row = await db
      .selectFrom('quorate.workspaces')
      .select(['sign_in', 'session_rules'])
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    const state = signInStateSchema.parse(row.sign_in);
    const providers = await db
      .selectFrom('quorate.identity_providers')
      .select(['id', 'name', 'issuer', 'tested_at'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const domains = await db
      .selectFrom('quorate.verified_domains')
      .select(['domain', 'token', 'verified_at'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('domain')
      .execute();
    const members = await db
      .selectFrom('quorate.members')
      .select(['user_id', 'name', 'email', 'roles'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('name')
      .orderBy('user_id')
      .execute();
    const keys = await db
      .selectFrom('quorate.saml_keys')
      .select('certificate')
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'current')
      .execute();
    return {
      certificates: endingCertificates(state, keys, now()),
      redirectAddress: `${origin}${href('/sign-in/company/callback')}`,
      logoutAddress: `${origin}${href('/sign-in/company/logout/:workspace', { workspace: workspaceId })}`,
      /** False: the hosted account service can open no session without the secret key of its project. */
      opensSessions: identity.companySessions !== null,
      secondPersonAgrees: await secondPersonAgrees(db),
      sessions: sessionRulesSchema.parse(row.session_rules),
      address: context.get(clientContext).address,
      counts: state.provider?.id ?? null,
      enforced: state.enforced,
      exempt: state.exempt,
      providers: providers.map((provider) => ({
        id: provider.id,
        name: provider.name,
        issuer: provider.issuer,
        testedAt: provider.tested_at?.toISOString() ?? null,
      })),
      domains: domains.map((domain) => ({
        domain: domain.domain,
        record: domainProof(domain.token),
        verifiedAt: domain.verified_at?.toISOString() ?? null,
      })),
      // Admins, and whoever is exempt already.
      candidates: members
        .filter((one) => one.roles.includes('admin') || state.exempt.includes(one.user_id))
        .map((one) => ({ id: one.user_id, name: one.name, email: one.email })),
    };
  });
}

/** Certificates in use that have run out or soon will: of the provider that counts, the last one of them to end; and ours where one is SAML. */
function endingCertificates({ provider }: SignInState, keys: readonly { certificate: string }[], now: Date) {
  if (provider?.saml === undefined) return [];
  const theirs = provider.saml.certificates.map(describeCertificate).toSorted((one, other) => (one.notAfter < other.notAfter ? 1 : -1));
  const found = [
    { of: 'provider' as const, notAfter: theirs[0]?.notAfter },
    { of: 'own' as const, notAfter: keys.map(({ certificate }) => describeCertificate(certificate))[0]?.notAfter },
  ];
  return found.flatMap(({ of, notAfter }) => {
    const warning = notAfter === undefined ? null : certificateWarning(notAfter, now);
    return notAfter === undefined || warning === null ? [] : [{ of, id: provider.id, name: provider.name, notAfter, warning }];
  });
}
export type SignIn = Awaited<ReturnType<typeof loadSignIn>>;

/** One provider, without its secret. 404 where there is none. */
export async function loadProvider({ params, context }: LoaderFunctionArgs) {
  const { member, read } = requirePermission(context, 'manageMembers');
  const id = z.uuid().safeParse(params.provider).data;
  const found =
    id === undefined
      ? undefined
      : await read(async (db) => {
          const row = await db
            .selectFrom('quorate.identity_providers')
            .selectAll()
            .where('workspace_id', '=', member.workspace.id)
            .where('id', '=', id)
            .executeTakeFirst();
          const workspace = await db
            .selectFrom('quorate.workspaces')
            .select('sign_in')
            .where('id', '=', member.workspace.id)
            .executeTakeFirstOrThrow();
          return row === undefined ? undefined : { row, counts: signInStateSchema.parse(workspace.sign_in).provider?.id === row.id };
        });
  if (found === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const { row, counts } = found;
  return {
    id: row.id,
    name: row.name,
    issuer: row.issuer,
    clientId: row.client_id,
    emailClaim: row.email_claim,
    nameClaim: row.name_claim,
    groupsClaim: row.groups_claim,
    emailsVerified: row.emails_verified,
    defaultRoles: row.default_roles,
    testedAt: row.tested_at?.toISOString() ?? null,
    counts,
    saml: row.saml === null ? null : describeSaml(row.saml, context.get(servicesContext).now()),
  };
}

/** `kept`: what an edit leaves as it is; `certificates`: those whose keys may sign. */
function describeSaml(settings: unknown, now: Date) {
  const { ssoUrl, certificates, metadataUrl, nameId, idpInitiated } = samlSettingsSchema.parse(settings);
  const described = certificates.map(describeCertificate);
  return {
    kept: { ssoUrl, certificates },
    metadataUrl,
    nameId,
    idpInitiated,
    certificates: described.map((one) => ({ ...one, warning: certificateWarning(one.notAfter, now) })),
  };
}
export type Provider = Awaited<ReturnType<typeof loadProvider>>;

/** The roles that groups give, by the group's name. */
export async function loadGroups(context: Context) {
  const { member, read } = requirePermission(context, 'manageMembers');
  return read(async (db) => ({
    secondPersonAgrees: await secondPersonAgrees(db),
    groups: (
      await db.selectFrom('quorate.group_roles').selectAll().where('workspace_id', '=', member.workspace.id).orderBy('group_name').execute()
    ).map((row) => ({ name: row.group_name, roles: row.roles })),
  }));
}
export type Groups = Awaited<ReturnType<typeof loadGroups>>;
