import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { message, readMessage } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';

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
