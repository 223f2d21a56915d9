import type { Risk } from '#app/contracts/statuses.ts';
import { type BuiltinTool, objectSchema, RISK_SCHEMA } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';
import { findPersonalData, PERSONAL_DATA_KINDS, type PersonalDataFinding } from '#app/engine/personal-data/find-personal-data.ts';

/** Findings that are listed; the counts cover all. */
const MAX_LISTED = 1_000;

export const FINDING_SCHEMA = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: [...PERSONAL_DATA_KINDS] },
    country: { type: ['string', 'null'], description: 'Country of an IBAN or national id (ISO 3166)' },
    start: { type: 'integer', description: 'UTF-16 offset' },
    end: { type: 'integer' },
    masked: { type: 'string' },
    certain: { type: 'boolean', description: 'False where only a weak check digit speaks for it' },
    severity: RISK_SCHEMA,
  },
  required: ['kind', 'country', 'start', 'end', 'masked', 'certain', 'severity'],
};

export const detectPersonalData: BuiltinTool = {
  name: 'detect_personal_data',
  title: 'Detect personal data',
  description:
    'Finds e-mail addresses, telephone numbers, IBANs (check digits), payment cards (Luhn) and national ids of twelve countries in a text. Answers where they are, masked, and how severe the finding is.',
  inputSchema: objectSchema({ text: { type: 'string', title: 'Text', maxLength: 1_000_000 } }),
  outputSchema: objectSchema({
    risk: RISK_SCHEMA,
    count: { type: 'integer' },
    kinds: { type: 'array', items: { type: 'string' } },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    findings: { type: 'array', items: FINDING_SCHEMA },
  }),
  run({ text }) {
    const findings = findPersonalData(String(text));
    const counts: Record<string, number> = {};
    for (const finding of findings) counts[finding.kind] = (counts[finding.kind] ?? 0) + 1;
    return {
      risk: riskOf(findings),
      count: findings.length,
      kinds: PERSONAL_DATA_KINDS.filter((kind) => counts[kind] !== undefined),
      counts,
      findings: findings.slice(0, MAX_LISTED).map((finding) => ({ ...finding, severity: severityOf(finding) })),
    };
  },
};

/** Numbers by which someone can be impersonated or debited are severe; ways to reach someone are not on their own. */
function severityOf(finding: PersonalDataFinding): Risk {
  if (!finding.certain) return 'low';
  return finding.kind === 'email' || finding.kind === 'phone' ? 'medium' : 'high';
}

function riskOf(findings: readonly PersonalDataFinding[]): Risk {
  const severities = new Set(findings.map(severityOf));
  return severities.has('high') ? 'high' : severities.has('medium') ? 'medium' : 'low';
}
