import { href, type LoaderFunctionArgs, type RouterContextProvider } from 'react-router';
import { servicesContext } from '#app/contracts/request-context.ts';
import { certificateWarning } from '#app/domain/people/certificate-warning.ts';
import { describeCertificate } from '#app/engine/company/describe-certificate.ts';
import { requirePermission } from '#app/features/admin/require-permission.server.ts';
import { loadProvider, type Provider } from '#app/features/admin/sign-in/load-sign-in.server.ts';

type Context = Readonly<RouterContextProvider>;

/** The values that an administrator enters at a SAML provider. `metadata` is there once there is a key. */
export function samlService(context: Context, workspace: string) {
  const { origin } = context.get(servicesContext);
  return {
    entityId: `${origin}${href('/sign-in/company/saml/:workspace', { workspace })}`,
    acs: `${origin}${href('/sign-in/company/saml/:workspace/acs', { workspace })}`,
  };
}

/** Our addresses towards SAML providers, and our certificates: the one in use, the next one, and the one before. */
export async function loadSamlService(context: Context) {
  const { member, read } = requirePermission(context, 'manageMembers');
  const { now } = context.get(servicesContext);
  const rows = await read((db) =>
    db
      .selectFrom('quorate.saml_keys')
      .select(['id', 'certificate', 'state', 'created_at'])
      .where('workspace_id', '=', member.workspace.id)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute(),
  );
  return {
    ...samlService(context, member.workspace.id),
    keys: rows.map(({ id, certificate, state }) => {
      const described = describeCertificate(certificate);
      return { id, state, ...described, warning: certificateWarning(described.notAfter, now()) };
    }),
  };
}
export type SamlService = Awaited<ReturnType<typeof loadSamlService>>;

/** The form of a new provider, filled in with what another one has where the address names it (`from`): all but its metadata. */
export async function loadNewSaml({ url, context, request, params, ...rest }: LoaderFunctionArgs) {
  const service = await loadSamlService(context);
  const from = url.searchParams.get('from');
  const copied: Provider | null =
    from === null ? null : await loadProvider({ url, context, request, ...rest, params: { ...params, provider: from } });
  return { service, copied: copied?.saml ? copied : null };
}
export type NewSaml = Awaited<ReturnType<typeof loadNewSaml>>;
