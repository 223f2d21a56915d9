import { type BuiltinTool, objectSchema } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';
import { findPersonalData, PERSONAL_DATA_KINDS, redactPersonalData } from '#app/engine/personal-data/find-personal-data.ts';

export const redactText: BuiltinTool = {
  name: 'redact_text',
  title: 'Redact text',
  description:
    'Replaces personal data in a text by its kind in brackets, or by asterisks that keep its form. Answers the redacted text and what was replaced, by kind.',
  inputSchema: objectSchema(
    {
      text: { type: 'string', title: 'Text', maxLength: 1_000_000 },
      kinds: {
        type: 'array',
        title: 'Kinds to redact',
        items: { type: 'string', enum: [...PERSONAL_DATA_KINDS] },
        description: 'Left out: all kinds',
      },
      style: { type: 'string', title: 'Style', enum: ['label', 'mask'], default: 'label' },
      include_possible: { type: 'boolean', title: 'Redact what is only possible, too', default: true },
    },
    ['kinds', 'style', 'include_possible'],
  ),
  outputSchema: objectSchema({
    text: { type: 'string' },
    redactions: { type: 'integer' },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
  }),
  run({ text, kinds, style, include_possible: includePossible }) {
    const wanted = Array.isArray(kinds) ? new Set(kinds) : null;
    const findings = findPersonalData(String(text)).filter(
      (finding) => (wanted === null || wanted.has(finding.kind)) && (finding.certain || includePossible !== false),
    );
    const counts: Record<string, number> = {};
    for (const finding of findings) counts[finding.kind] = (counts[finding.kind] ?? 0) + 1;
    return { text: redactPersonalData(String(text), findings, style === 'mask' ? 'mask' : 'label'), redactions: findings.length, counts };
  },
};
