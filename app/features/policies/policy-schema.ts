import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';

const name = z.string({ error: 'required' }).trim().min(1).max(120);
const description = z.string().trim().max(2000).default('');

/** Policies to begin with; the engine has their rules and examples. */
export const TEMPLATE_SLUGS = [
  'support-refunds',
  'bank-payments',
  'bank-hours',
  'bank-new-payee',
  'bank-payee',
  'hospital-disclosure',
  'hospital-prescriptions',
  'hospital-hours',
  'office-mail',
  'office-separation',
  'office-budget',
] as const;

export const createPolicySchema = z.object({ name, description, template: z.enum(['', ...TEMPLATE_SLUGS]).default('') });

/** Characters of a policy's text; the engine holds the same limit. */
export const POLICY_TEXT_MAX = 65_536;

/** Pauses or activates what is published. The reason is for whoever agrees. */
export const setPolicySchema = z.object({
  intent: z.enum(['pause', 'activate']),
  reason: z.string().trim().max(CONTROL_REASON_MAX).default(''),
});

export const editPolicySchema = z.object({
  name,
  description,
  /** Empty as long as there is no rule. */
  text: z.string().max(POLICY_TEXT_MAX).default(''),
  /** For whoever agrees to a publication. */
  reason: z.string().trim().max(CONTROL_REASON_MAX).default(''),
  /** `newRule` and `rule:ID` keep the draft and continue to the form of a rule, `newExample` and `example:N` to that of an example. */
  intent: z
    .union([
      z.enum(['save', 'publish', 'newRule', 'newExample']),
      z.templateLiteral(['rule:', z.string()]),
      z.templateLiteral(['example:', z.number()]),
    ])
    .default('save'),
  /** Revision of the draft that the author saw. */
  revision: z.coerce.number().int().min(0),
});
