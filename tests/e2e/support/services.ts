import { expect, type Page } from '@playwright/test';
import { type Stranger, startStranger } from '#tests/support/stranger-peers.ts';

export const SERVICE_KEY = 'key-of-the-stub';

/** A model provider that is compatible with OpenAI, and an n8n, in this process: what the server that may reach it is connected to. */
export function startServices(): Promise<Stranger> {
  return startStranger((request, body, response) => {
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const known = request.headers.authorization === `Bearer ${SERVICE_KEY}` || request.headers['x-n8n-api-key'] === SERVICE_KEY;
    if (!known) return answer(401, { error: { message: 'invalid key' } });
    const path = (request.url ?? '').split('?')[0];
    if (path === '/v1/models')
      return answer(200, { object: 'list', data: [{ id: 'small-1', object: 'model', created: 1, owned_by: 'stub' }] });
    if (path === '/v1/chat/completions' && asksForSum(body)) return answer(200, SUM_CALL);
    if (path === '/v1/chat/completions')
      return answer(200, {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1,
        model: 'small-1',
        choices: [{ index: 0, message: { role: 'assistant', content: `Read: ${body.length} characters` }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
      });
    if (path === '/api/v1/workflows') return answer(200, { data: [{ id: '1', name: 'Invoices', active: true }], nextCursor: null });
    return answer(404, { message: 'not found' });
  });
}

/** Whether a conversation has the arithmetic tool, and no answer of it yet. */
function asksForSum(body: string): boolean {
  return body.includes('evaluate_arithmetic') && !body.includes('"role":"tool"');
}

const SUM_CALL = {
  id: 'chatcmpl-2',
  object: 'chat.completion',
  created: 1,
  model: 'small-1',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'quorate-tools__evaluate_arithmetic', arguments: '{"expression":"1200 + 340"}' },
          },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 30, completion_tokens: 8, total_tokens: 38 },
};

/** As a builder: connects the stub as a provider of models; answers the address of the connection. */
export async function connectModel(page: Page, services: Stranger, name: string): Promise<string> {
  await page.goto('/dashboard/llm-hub/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Provider').selectOption({ label: 'OpenAI or compatible' });
  await page.getByLabel('Address').fill(`${services.origin}/v1`);
  await page.getByLabel('Key or token').fill(SERVICE_KEY);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** As a builder: connects the stub as an n8n; answers the address of the connection. */
export async function connectService(page: Page, services: Stranger, name: string): Promise<string> {
  await page.goto('/dashboard/plugins/integrations/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Service').selectOption({ label: 'n8n' });
  await page.getByLabel('Address').fill(services.origin);
  await page.getByLabel('Key or token').fill(SERVICE_KEY);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** As a builder: connects an MCP server; answers the address of the connection. */
export async function connectPeer(page: Page, area: string, address: string): Promise<string> {
  await page.goto(`${area}/new`);
  await page.getByLabel('Name', { exact: true }).fill('Peer of a stranger');
  await page.getByLabel('Address').fill(address);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Peer of a stranger' })).toBeVisible();
  return new URL(page.url()).pathname;
}
