import { expect, signIn, test, withScripts } from '#tests/e2e/support/journey.ts';

const N8N = JSON.stringify({
  name: 'Answer new enquiries',
  nodes: [
    { name: 'Form', type: 'n8n-nodes-base.webhook' },
    {
      name: 'Who asks',
      type: 'n8n-nodes-base.set',
      parameters: { assignments: { assignments: [{ name: 'mail', value: '={{ $json.body.email }}' }] } },
    },
    {
      name: 'Known?',
      type: 'n8n-nodes-base.if',
      parameters: { conditions: { string: [{ value1: '={{ $json.mail }}', value2: 'ada@example.com' }] } },
    },
    { name: 'Tidy up', type: 'n8n-nodes-base.code', parameters: { jsCode: 'return items;' } },
    { name: 'Tell the team', type: 'n8n-nodes-base.slack', parameters: { text: '=New: {{ $json.mail }}' } },
  ],
  connections: {
    Form: { main: [[{ node: 'Who asks' }]] },
    'Who asks': { main: [[{ node: 'Known?' }]] },
    'Known?': { main: [[{ node: 'Tidy up' }], [{ node: 'Tell the team' }]] },
  },
});

test('a workflow of n8n is read, shown with what did not carry over, made, downloaded and imported again', async ({ page }) => {
  await signIn(page, 'builder');
  await page.goto('/dashboard/workflows/new');
  const main = page.locator('main');
  await main.getByRole('link', { name: 'Import a file' }).click();
  await main.getByRole('button', { name: 'Read file' }).click();
  await expect(main.getByLabel('File')).toHaveAttribute('aria-invalid', 'true');
  await main.getByLabel('File').setInputFiles({ name: 'flow.json', mimeType: 'application/json', buffer: Buffer.from('{"nodes": 1}') });
  // Without scripts the browser's own control says it.
  if (withScripts()) await expect(main.getByText('flow.json', { exact: true })).toBeVisible();
  await main.getByRole('button', { name: 'Read file' }).click();
  await expect(main.getByText(/not a valid workflow/i).first()).toBeVisible();
  await main.getByLabel('File').setInputFiles({ name: 'flow.json', mimeType: 'application/json', buffer: Buffer.from(N8N) });
  await main.getByRole('button', { name: 'Read file' }).click();
  const left = main.getByRole('table', { name: 'Nodes that need attention, by reason' });
  await expect(left.getByRole('row', { name: /Starts the workflow in n8n.*Form/ })).toBeVisible();
  await expect(left.getByRole('row', { name: /Processes data with code.*Tidy up/ })).toBeVisible();
  await expect(left.getByRole('row', { name: /Calls a service.*Tell the team/ })).toBeVisible();
  await expect(main.getByLabel('Name')).toHaveValue('Answer new enquiries');
  await main.getByRole('button', { name: 'Create workflow' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await expect(main.getByRole('heading', { level: 1 })).toContainText('Answer new enquiries');
  const editor = page.url();
  const file = editor.replace(/\/edit$/, '/file');
  const text = await (await page.request.get(file)).text();
  expect(JSON.parse(text)).toMatchObject({ format: 'quorate.workflow/1', name: 'Answer new enquiries', input: [{ name: 'email' }] });
  await page.goto('/dashboard/workflows/import');
  await main.getByLabel('Or paste its text').fill(text);
  await main.getByRole('button', { name: 'Read file' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  expect(page.url()).not.toBe(editor);
  expect(await (await page.request.get(page.url().replace(/\/edit$/, '/file'))).text()).toBe(text);
});
