import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { message, readMessage } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { insertRow, ROW_CHANGE, removeRow } from '#app/components/form/row-change.ts';

const schema = z.object({
  name: z.string().min(3),
  limit: z.number().max(10).optional(),
  roles: z.array(z.enum(['user', 'admin'])).min(1),
  agreed: z.boolean().default(false),
  password: z.string().optional(),
});

function post(fields: [string, string][]): Request {
  return new Request('http://localhost/', { method: 'POST', body: new URLSearchParams(fields) });
}

describe('a posted form', () => {
  it('is read into the types of its schema', async () => {
    const parsed = await parseForm(
      post([
        ['name', 'Noa'],
        ['limit', '7'],
        ['roles', 'user'],
        ['roles', 'admin'],
        ['agreed', 'on'],
        ['workspace', 'w'],
      ]),
      schema,
    );
    expect(parsed).toMatchObject({ ok: true, value: { name: 'Noa', limit: 7, roles: ['user', 'admin'], agreed: true } });
  });

  it('refuses a character that no column can hold beside its field', async () => {
    const parsed = await parseForm(
      post([
        ['name', 'No\u0000a'],
        ['roles', 'user'],
      ]),
      schema,
    );
    expect(parsed.ok).toBe(false);
    expect(parsed.reply.errors.fieldErrors).toEqual({ name: ['invalid'] });
  });

  it('takes one ticked box for a set of one', async () => {
    const parsed = await parseForm(
      post([
        ['name', 'Noa'],
        ['roles', 'user'],
      ]),
      schema,
    );
    expect(parsed.ok && parsed.value.roles).toEqual(['user']);
  });

  it('says in keys what is wrong, and gives back what was typed', async () => {
    const parsed = await parseForm(
      post([
        ['name', 'No'],
        ['limit', 'many'],
        ['password', 'hunter22'],
      ]),
      schema,
    );
    if (parsed.ok) return expect.fail('it should have been refused');
    const answer = invalidForm(parsed.reply);
    expect(answer.init?.status).toBe(400);
    expect(answer.data).toMatchObject({
      error: { fieldErrors: { name: ['tooShort?minimum=3'], limit: ['notANumber'], roles: ['chooseAtLeastOne'] } },
      submission: { payload: { name: 'No', limit: 'many' } },
    });
  });

  it('never sends a secret back', async () => {
    const parsed = await parseForm(
      post([
        ['name', 'Noa'],
        ['roles', 'user'],
        ['password', 'hunter22'],
      ]),
      schema,
    );
    const answer = invalidForm(parsed.reply, { formErrors: ['refused'] });
    expect(answer.data).toMatchObject({ error: { formErrors: ['refused'] } });
    expect(JSON.stringify(answer.data)).not.toContain('hunter22');
  });

  it.each(['__proto__.polluted', 'name.constructor.prototype.polluted', 'roles[4294967294]', 'roles[', 'a..b', ''])(
    'ignores the foreign name %j',
    async (name) => {
      const parsed = await parseForm(
        post([
          [name, 'yes'],
          ['name', 'Noa'],
          ['roles', 'user'],
        ]),
        schema,
      );
      expect(parsed).toMatchObject({ ok: true, value: { name: 'Noa', roles: ['user'] } });
      expect(({} as { polluted?: string }).polluted).toBeUndefined();
    },
  );
});

describe('a message', () => {
  it('carries its values to the reader', () => {
    expect(readMessage(message('tooShort', { minimum: 6 }))).toEqual({ key: 'tooShort', values: { minimum: 6, count: 6 } });
    expect(readMessage(message('unknownStep', { step: 'a & b=c' }))).toEqual({ key: 'unknownStep', values: { step: 'a & b=c' } });
    expect(readMessage('required')).toEqual({ key: 'required', values: {} });
  });
});

describe('a row added or taken away', () => {
  const rows = z.object({ lines: z.array(z.object({ item: z.string(), tags: z.array(z.string()) })).min(3), name: z.string() });
  const posted = (change: string) =>
    parseForm(
      post([
        ['name', 'Noa'],
        ['lines[0].item', 'Desk'],
        ['lines[0].tags[0]', 'oak'],
        ['lines[1].item', ''],
        [ROW_CHANGE, change],
      ]),
      rows,
    );

  it('gives the form back with it, everything else as typed and no error', async () => {
    const added = await posted(insertRow('lines', { item: '' }));
    if (added.ok) throw new Error('taken for a form that was sent');
    expect(added.reply.changed).toEqual({ name: 'Noa', lines: [{ item: 'Desk', tags: ['oak'] }, { item: '' }, { item: '' }] });
    const answer = invalidForm(added.reply);
    expect(answer.init?.status).toBe(200);
    expect(answer.data.error).toBeUndefined();
    const inner = await posted(insertRow('lines[1].tags', ''));
    expect(inner).toMatchObject({ ok: false, reply: { changed: { lines: [{}, { item: '', tags: [''] }] } } });
    const removed = await posted(removeRow('lines', 0));
    expect(removed).toMatchObject({ ok: false, reply: { changed: { name: 'Noa', lines: [{ item: '' }] } } });
  });

  it.each([
    'insert({})',
    'insert("lines")',
    'remove({"name":"lines"})',
    'remove({"name":"lines","index":-1})',
    'remove({"name":"lines","index":99999})',
    'insert({"name":"__proto__.a"})',
    'insert({"name":"lines[0].constructor"})',
    'insert({"name":"name"})',
    'insert({"name":"lines[999999999]"})',
    'update({"name":"name","value":"Eve"})',
    'insert(',
    'reset()',
  ])('is refused where it is forged: %s', async (change) => {
    await expect(posted(change)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
