import { A2A_PROTOCOL_VERSION, AgentCard } from '@a2a-js/sdk';
import { visibleText } from '#app/domain/connections/hidden-text.ts';
import { inputSchemaOf } from '#app/domain/workflows/workflow.ts';
import { SKILL_SCHEMAS_EXTENSION } from '#app/engine/a2a/skill-schemas.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';

/** The last card of each workflow that is kept: most callers come by the same address. */
const cards = new WeakMap<ServedWorkflow, { url: string; card: AgentCard }>();

/** The card of one workflow, reachable under `url`. */
export function workflowCard(workflow: ServedWorkflow, url: string, origin: string): AgentCard {
  const known = cards.get(workflow);
  if (known?.url === url) return known.card;
  const card = makeCard(workflow, url, origin);
  cards.set(workflow, { url, card });
  return card;
}

function makeCard(workflow: ServedWorkflow, url: string, origin: string): AgentCard {
  // A caller's model reads the card: nothing reaches it that the author's reviewers did not see.
  const name = visibleText(workflow.name);
  const description = visibleText(workflow.description) || name;
  return AgentCard.fromJSON({
    ...cardBase(url, origin),
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: A2A_PROTOCOL_VERSION },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: A2A_PROTOCOL_VERSION },
    ],
    name,
    description,
    version: String(workflow.version),
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: SKILL_SCHEMAS_EXTENSION,
          description: 'JSON Schemas of what each skill takes and gives',
          required: false,
          params: { [workflow.id]: { inputSchema: inputSchemaOf(workflow.document) } },
        },
      ],
    },
    skills: [
      {
        id: workflow.id,
        name,
        description,
        tags: ['workflow'],
      },
    ],
  });
}

/** A card as it is sent. */
export const cardJson = (card: AgentCard): object => AgentCard.toJSON(card) as object;

/** The card of the instance: it names no workspace and no workflow, which only a key may see. */
export function instanceCard(origin: string): AgentCard {
  return AgentCard.fromJSON({
    ...cardBase(`${origin}/a2a`, origin),
    name: 'Quorate',
    description: `Runs the published workflows of the workspace of an API key. Name the workflow by its id in the metadata of the message, as "workflow"; ${origin}/api/v1/workflows lists them. Each has an address and a card of its own as well: ${origin}/a2a/{workspace}/{workflow}.`,
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    skills: [
      {
        id: 'run-workflow',
        name: 'Run a workflow',
        description: 'Runs a published workflow under the policies of its workspace.',
        tags: ['workflow'],
      },
    ],
  });
}

const cardBase = (url: string, origin: string) => ({
  provider: { organization: 'Quorate', url: origin },
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: A2A_PROTOCOL_VERSION }],
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['application/json', 'text/plain'],
});
