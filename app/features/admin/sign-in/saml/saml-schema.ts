import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import { NAME_IDS } from '#app/contracts/company-sign-in.ts';
import { roleSetSchema } from '#app/domain/people/role-set.ts';

/** Letters of metadata that may be pasted; a provider's own has some 10,000. */
const LONGEST_METADATA = 200_000;

const address = z.url({ protocol: /^https?$/, error: message('invalidUrl') }).max(2_000);
const attribute = (name: string) => z.string().trim().min(1).max(100).default(name);

export const samlProviderSchema = z.object({
  name: z.string().trim().min(1).max(80),
  /** One of the three; all of them empty keep the present metadata. */
  metadataUrl: z.union([z.literal(''), address]).default(''),
  metadata: z.string().max(LONGEST_METADATA).default(''),
  metadataFile: z.instanceof(File).optional(),
  nameId: z.enum(NAME_IDS).default('persistent'),
  emailClaim: attribute('email'),
  nameClaim: attribute('name'),
  groupsClaim: attribute('groups'),
  emailsVerified: z.boolean().default(false),
  idpInitiated: z.boolean().default(false),
  defaultRoles: roleSetSchema,
});
export type SamlProviderForm = z.output<typeof samlProviderSchema>;
