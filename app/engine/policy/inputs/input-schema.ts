import { quoted } from '#app/engine/policy/cedar-string.ts';
import type { InputType, ToolInput } from '#app/engine/policy/inputs/input-type.ts';
import { CALL_FACTS, POLICY_SCHEMA } from '#app/engine/policy/policy-schema.ts';

const NAMES = { text: 'String', whole: 'Long', decimal: 'decimal', truth: 'Bool' } as const;

/** The Cedar text of a type of an input, indented by `indent`. */
function typeText(type: InputType, indent: string): string {
  if (type.kind === 'list') return `Set<${NAMES[type.of.kind]}>`;
  if (type.kind !== 'record') return NAMES[type.kind];
  const inner = `${indent}  `;
  const fields = [...type.fields].map(
    ([name, field]) => `${inner}${quoted(name)}${field.required ? '' : '?'}: ${typeText(field.type, inner)},\n`,
  );
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
}

/** The action of one tool, in the group of all tools: its calls have an input. */
export function toolActionText(action: string, { type }: ToolInput): string {
  return `// One tool: its rules may ask for its input
action ${quoted(action)} in [call_tool] appliesTo {
  principal: Member,
  resource: Capability,
  context: {
${CALL_FACTS}
  input: ${typeText(type, '  ')},
  },
};
`;
}

/** The vocabulary of rules with the named tools; those of `tools` alone have an input, the others can only be named. */
export function schemaWithTools(named: readonly string[], tools: ReadonlyMap<string, ToolInput>): string {
  const actions = named.map((action) => {
    const tool = tools.get(action);
    return tool === undefined ? `action ${quoted(action)} in [call_tool];\n` : toolActionText(action, tool);
  });
  return [POLICY_SCHEMA, ...actions].join('\n');
}
