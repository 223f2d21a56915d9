import { href } from 'react-router';

/** Ours towards the SAML providers of a workspace: its entity id, at which its metadata stands, and where answers come in. */
export const samlAddresses = (origin: string, workspace: string) => ({
  entityId: `${origin}${href('/sign-in/company/saml/:workspace', { workspace })}`,
  acs: `${origin}${href('/sign-in/company/saml/:workspace/acs', { workspace })}`,
});
