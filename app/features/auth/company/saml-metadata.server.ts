import type { LoaderFunctionArgs } from 'react-router';
import { z } from 'zod';
import { servicesContext } from '#app/contracts/request-context.ts';
import { publishedCertificates } from '#app/engine/company/company-provider.ts';
import { samlAddresses } from '#app/features/auth/company/saml-addresses.ts';

/** Our metadata towards the SAML providers of a workspace: addresses and certificates. 404 where it has no key yet. */
export async function ownMetadata({ params, context }: LoaderFunctionArgs): Promise<Response> {
  const { access, origin, saml } = context.get(servicesContext);
  const workspace = z.uuid().safeParse(params.workspace).data;
  const certificates = workspace === undefined ? [] : await access.asNobody((db) => publishedCertificates(db, workspace));
  if (workspace === undefined || certificates.length === 0) return new Response(null, { status: 404 });
  return new Response(await saml.writeMetadata({ ...samlAddresses(origin, workspace), certificates }), {
    headers: { 'Content-Type': 'application/samlmetadata+xml', 'Cache-Control': 'no-cache' },
  });
}
