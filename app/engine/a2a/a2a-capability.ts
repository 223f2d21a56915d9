import { type AgentCard, AgentSkill } from '@a2a-js/sdk';
import type { Json } from '#app/contracts/json.ts';
import type { PeerCapability } from '#app/contracts/peer.ts';
import { SKILL_SCHEMAS_EXTENSION } from '#app/engine/a2a/skill-schemas.ts';
import { fingerprintOf, shownText } from '#app/engine/connections/fingerprint.ts';
import { isJsonObject, storableJson } from '#app/engine/connections/peer-json.ts';

/** The input of a skill whose agent states no schema: words, with any data beside them. */
const DEFAULT_INPUT_SCHEMA: { [key: string]: Json } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { text: { type: 'string', title: 'Message' } },
};

/**
 * The skills of a card. The fingerprint covers the skill, what the card says of the agent, and the path of the interface
 * that is called: an agent that moves or renames itself is another agent.
 */
export function capabilitiesOfCard(
  card: AgentCard,
  agentInterface: { url: string; protocolBinding: string; protocolVersion: string },
): PeerCapability[] {
  const schemas = schemasOf(card);
  return card.skills.map((skill) => {
    const definition: { [key: string]: Json } = {
      skill: storableJson(AgentSkill.toJSON(skill)),
      agent: {
        name: storableJson(card.name),
        provider: storableJson(card.provider?.organization ?? ''),
        path: storableJson(new URL(agentInterface.url).pathname),
        binding: storableJson(agentInterface.protocolBinding),
        protocolVersion: storableJson(agentInterface.protocolVersion),
      },
    };
    const schema = schemas[skill.id];
    if (isJsonObject(schema)) definition.schemas = schema;
    return {
      kind: 'skill',
      name: skill.id,
      title: shownText(skill.name === '' ? skill.id : skill.name, 200),
      description: shownText(skill.description, 2_000),
      inputSchema: isJsonObject(schema) ? (schema.inputSchema ?? DEFAULT_INPUT_SCHEMA) : DEFAULT_INPUT_SCHEMA,
      outputSchema: isJsonObject(schema) ? (schema.outputSchema ?? null) : null,
      definition,
      fingerprint: fingerprintOf(definition),
    };
  });
}

function schemasOf(card: AgentCard): { [key: string]: Json } {
  const params = card.capabilities?.extensions.find((extension) => extension.uri === SKILL_SCHEMAS_EXTENSION)?.params;
  const schemas = params === undefined ? {} : storableJson(params);
  return isJsonObject(schemas) ? schemas : {};
}
