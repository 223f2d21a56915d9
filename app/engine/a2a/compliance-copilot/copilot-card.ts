import { A2A_PROTOCOL_VERSION, AgentCard } from '@a2a-js/sdk';
import type { Json } from '#app/contracts/json.ts';
import { SKILL_SCHEMAS_EXTENSION } from '#app/engine/a2a/skill-schemas.ts';

/** Rises with every change of an obligation in `laws.json`. */
const LIBRARY_VERSION = '1.0.0';
export const ASSESS_SKILL = 'assess_obligations';

const text = (description: string) => ({ type: 'string', description });
const risk = { type: 'string', enum: ['low', 'medium', 'high'] };

export const ASSESS_INPUT_SCHEMA: { [key: string]: Json } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    text: {
      type: 'string',
      minLength: 1,
      title: 'Text',
      description: 'The text to assess: a plan, a contract clause, a message, a report',
    },
    jurisdictions: {
      title: 'Jurisdictions',
      description: 'Codes or names, as a list or separated by commas: EU, UK, US, US-CA, BR or a member state. Empty: all',
      anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    },
  },
  required: ['text'],
};

export const ASSESS_OUTPUT_SCHEMA: { [key: string]: Json } = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    risk,
    summary: text('One sentence'),
    obligations: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text('Id in the library'),
          regulation: text('Short name'),
          citation: text('Official title'),
          article: text('Article or section'),
          title: text('Title of the duty'),
          duty: text('What must be done'),
          severity: risk,
          passage: {
            type: 'object',
            properties: { text: text('The passage'), start: { type: 'integer' }, end: { type: 'integer' } },
            required: ['text', 'start', 'end'],
          },
          because: { type: 'array', items: { type: 'string' } },
        },
        required: ['id', 'regulation', 'article', 'duty', 'severity', 'passage', 'because'],
      },
    },
    jurisdictions: { type: 'array', items: { type: 'string' } },
    unknownJurisdictions: { type: 'array', items: { type: 'string' } },
    regulationsChecked: { type: 'integer' },
    truncated: { type: 'boolean' },
  },
  required: ['risk', 'summary', 'obligations', 'jurisdictions', 'regulationsChecked'],
};

/** The card of the built-in agent, reachable under `url`. */
export function copilotCard(url: string): AgentCard {
  return AgentCard.fromJSON({
    name: 'Compliance Copilot',
    description:
      'Says which obligations of a library of regulations and standards apply to a text, with the passage and the article. Works by rules, without a model, on English text.',
    version: LIBRARY_VERSION,
    provider: { organization: 'Quorate', url },
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: A2A_PROTOCOL_VERSION }],
    capabilities: {
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
      extensions: [
        {
          uri: SKILL_SCHEMAS_EXTENSION,
          description: 'JSON Schemas of what each skill takes and gives',
          required: false,
          params: { [ASSESS_SKILL]: { inputSchema: ASSESS_INPUT_SCHEMA, outputSchema: ASSESS_OUTPUT_SCHEMA } },
        },
      ],
    },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['application/json'],
    skills: [
      {
        id: ASSESS_SKILL,
        name: 'Assess obligations',
        description:
          'Given a text and jurisdictions, lists the obligations that apply, each with its article, severity, and the passage that made it apply.',
        tags: ['compliance', 'regulation', 'risk', 'gdpr', 'dora', 'hipaa'],
        examples: ['We will transfer customer records to a vendor in the United States. Jurisdictions: EU, US'],
        inputModes: ['text/plain', 'application/json'],
        outputModes: ['application/json'],
      },
    ],
  });
}
