import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { SamlProvider } from '#app/contracts/company-sign-in.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import type { ReadProvider } from '#app/engine/company/company-provider.ts';
import { keepOnce } from '#app/engine/company/one-time.ts';
import { samlAddresses } from '#app/features/auth/company/saml-addresses.ts';

/** The purpose under which a request that waits for its answer is kept, by its id. */
export const SAML_FLOW = 'saml flow';
const FLOW_SECONDS = 600;

export const samlFlowSchema = z.object({ browser: z.string(), purpose: z.enum(['sign_in', 'test']), next: z.string() });
export type SamlFlow = z.infer<typeof samlFlowSchema>;

/** The provider as it is called from here. */
export const samlAt = (origin: string, { workspace }: ReadProvider, called: Omit<SamlProvider, 'acs'>): SamlProvider => ({
  ...called,
  acs: samlAddresses(origin, workspace.id).acs,
});

/** The address at the provider, with a signed request that waits for its answer in this browser. */
export async function requestSaml(
  context: Readonly<RouterContextProvider>,
  provider: string,
  called: SamlProvider,
  flow: SamlFlow,
): Promise<string> {
  const { access, engine, saml } = context.get(servicesContext);
  const { url, request } = await saml.begin(called);
  await access.asNobody((db) => keepOnce(db, engine.sealer, { provider, secret: request, purpose: SAML_FLOW }, flow, FLOW_SECONDS));
  return url;
}
