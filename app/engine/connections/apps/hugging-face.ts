import { type AppAdapter, answer, fields, list, segment, text } from '#app/engine/connections/apps/app-adapter.ts';

const bearer = (credential: string | null): Record<string, string> =>
  credential === null ? {} : { authorization: `Bearer ${credential}` };
const modelPath = (model: unknown) => String(model).split('/').map(segment).join('/');
const model = text('Model', { pattern: '^[\\w.-]+/[\\w.-]+$' });

/** Hugging Face Inference Providers, tasks of the `hf-inference` provider. The address is the router's. */
export const huggingFace: AppAdapter = {
  headers: bearer,
  check: { method: 'GET', path: '/v1/models' },
  // The router lists its models to anyone; the hub says whose a token is.
  checkOrigin: (address) =>
    address.hostname === 'router.huggingface.co' ? { origin: 'https://huggingface.co', path: '/api/whoami-v2' } : null,
  capabilities: [
    {
      name: 'classify_text',
      title: 'Classify a text',
      description: 'Gives a text the labels of a classification model, with scores.',
      effect: 'reads',
      inputSchema: fields({ model, text: text('Text') }, ['model', 'text']),
      outputSchema: answer({ labels: list('Labels with scores') }),
      request: (input) => ({ method: 'POST', path: `/hf-inference/models/${modelPath(input.model)}`, body: { inputs: input.text ?? '' } }),
      output: (value) => ({ labels: Array.isArray(value) && Array.isArray(value[0]) ? value[0] : value }),
    },
    {
      name: 'summarize_text',
      title: 'Summarize a text',
      description: 'Shortens a text with a summarization model.',
      effect: 'reads',
      inputSchema: fields({ model, text: text('Text') }, ['model', 'text']),
      outputSchema: answer({ summaries: list('Summaries') }),
      request: (input) => ({ method: 'POST', path: `/hf-inference/models/${modelPath(input.model)}`, body: { inputs: input.text ?? '' } }),
      output: (value) => ({ summaries: Array.isArray(value) ? value : [value] }),
    },
    {
      name: 'embed_text',
      title: 'Embed a text',
      description: 'Turns a text into the vector of a feature-extraction model.',
      effect: 'reads',
      inputSchema: fields({ model, text: text('Text') }, ['model', 'text']),
      outputSchema: answer({ vector: { type: 'array', title: 'Vector' } }),
      request: (input) => ({
        method: 'POST',
        path: `/hf-inference/models/${modelPath(input.model)}/pipeline/feature-extraction`,
        body: { inputs: input.text ?? '' },
      }),
      output: (value) => ({ vector: value }),
    },
  ],
};
