import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isValidIban, passesLuhn } from '#app/engine/personal-data/accounts.ts';
import { findPersonalData, personalDataKinds, redactPersonalData } from '#app/engine/personal-data/find-personal-data.ts';
import { MACHINE_TOKENS } from '#tests/support/machine-tokens.ts';
import formats from '#tests/support/real-formats.json' with { type: 'json' };

const found = (text: string) =>
  findPersonalData(text).map(
    (finding) => `${finding.kind}${finding.country === null ? '' : `:${finding.country}`}=${text.slice(finding.start, finding.end)}`,
  );

describe('findPersonalData', () => {
  it.each([
    ["Write to Alice.O'Hara+x@example.co.uk, please.", ["email=Alice.O'Hara+x@example.co.uk"]],
    ['mail: jürgen@bücher.example.', ['email=jürgen@bücher.example']],
    ['Pay to DE89 3704 0044 0532 0130 00 and wait', ['iban:DE=DE89 3704 0044 0532 0130 00']],
    ['gb82west12345698765432', ['iban:GB=gb82west12345698765432']],
    ['Card 4111 1111 1111 1111, exp 12/27', ['payment_card=4111 1111 1111 1111']],
    ['amex 3782-822463-10005', ['payment_card=3782-822463-10005']],
    ['5555555555554444', ['payment_card=5555555555554444']],
    ['Call +44 20 7946 0958 today', ['phone=+44 20 7946 0958']],
    ['(212) 555-0123', ['phone=(212) 555-0123']],
    ['Tel. 06 12 34 56 78', ['phone=06 12 34 56 78']],
    ['phone: 612345678', ['phone=612345678']],
    ['هاتف: ٠٥٠١٢٣٤٥٦٧', ['phone=٠٥٠١٢٣٤٥٦٧']],
    ['DNI 12345678Z', ['national_id:ES=12345678Z']],
    ['NIE X1234567L', ['national_id:ES=X1234567L']],
    ['NIR 2 55 08 14 168 025 38', ['national_id:FR=2 55 08 14 168 025 38']],
    ['CF RSSMRA85T10A562S', ['national_id:IT=RSSMRA85T10A562S']],
    ['Steuer-ID 86095742719', ['national_id:DE=86095742719']],
    ['BSN: 111222333', ['national_id:NL=111222333']],
    ['ת.ז 123456782', ['national_id:IL=123456782']],
    ['SSN 123-45-6789', ['national_id:US=123-45-6789']],
    ['NINO AB123456C', ['national_id:GB=AB123456C']],
    ['NHS number 943 476 5919', ['national_id:GB=943 476 5919']],
    ['PESEL 44051401359', ['national_id:PL=44051401359']],
    ['CPF 529.982.247-25', ['national_id:BR=529.982.247-25']],
    ['AHV 756.9217.0769.85', ['national_id:CH=756.9217.0769.85']],
    ['RN 93.05.18-223.61', ['national_id:BE=93.05.18-223.61']],
  ])('finds in %s', (text, expected) => {
    expect(found(text)).toEqual(expected);
    expect(findPersonalData(text).every((finding) => finding.certain)).toBe(true);
  });

  it.each([
    'Nothing to see here.',
    'DE89 3704 0044 0532 0130 01',
    'card 4111 1111 1111 1112',
    'DNI 12345678A',
    'run 0193a5b2-7c1d-7e3f-8a4b-4111111111111',
    'sha256 4111111111111111e3b0c44298fc1c149afbf4c8996fb924',
    'Meeting on 01.02.2024 at 10:30, room 204',
    '2026-11-20T10:20:45Z',
    'SSN 000-12-3456',
    'ratio 0.4111111111111111',
    'follow @quorate and a@b',
    'order 1234567890123456',
  ])('leaves alone: %s', (text) => {
    expect(findPersonalData(text).filter((finding) => finding.certain)).toEqual([]);
  });

  it.each(Object.entries(formats))('finds every %s of the labelled set, and says it is certain', (kind, byCountry) => {
    const missed = Object.values<string[]>(byCountry)
      .flat()
      .flatMap((text) => [text, `Please note ${text}, thank you.`, `{"value":"${text}"}`, `(${text})`, `/users/${text}/data`])
      .filter((text) => !findPersonalData(text).some((finding) => finding.kind === kind && finding.certain));
    expect(missed).toEqual([]);
  });

  // By hand with a count of 1,000,000 each: none.
  it.each(Object.entries(MACHINE_TOKENS))('finds nothing in a random token: %s', (_, make) => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (bytes) => {
        expect(findPersonalData(make(bytes))).toEqual([]);
        expect(personalDataKinds({ phone: make(bytes) })).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '14e6004e-3431-42ef-be66-6b0555ec1878',
    'ba9552c7-dcd8-4d06-ad87-c861990d7836/a',
    'urn:uuid:01b34aa6-0040-7000-8000-004b25257ff9',
    '01234567-0123-4012-8012-012345678901',
    'b8e8-9623-2c75-b568-ad65-95c7-6674-a2cc',
    '1234-5678-9012-3456-7890-1234-5678-9012-3456-7890',
    '1234-5678-9012-a345-7890-1234-5678-9012-3456-7890',
  ])('finds nothing in %s, whose groups read like a number', (token) => {
    expect(findPersonalData(token)).toEqual([]);
    expect(findPersonalData(`Tel. ${token}`)).toEqual([]);
  });

  it('still finds what stands beside such a token', () => {
    expect(found('14e6004e-3431-42ef-be66-6b0555ec1878 DE89370400440532013000')).toEqual(['iban:DE=DE89370400440532013000']);
    expect(found('14e6004e-3431-42ef-be66-6b0555ec1878@example.com')).toEqual(['email=14e6004e-3431-42ef-be66-6b0555ec1878@example.com']);
  });

  it('says of nine bare digits that fit a check digit that they may be an id', () => {
    expect(findPersonalData('123456782')).toMatchObject([{ kind: 'national_id', certain: false }]);
  });

  it('masks the value and keeps its form', () => {
    const masked = findPersonalData('alice@example.com 4111 1111 1111 1111 SSN 123-45-6789').map((finding) => finding.masked);
    expect(masked).toEqual(['a***@example.com', '**** **** **** 1111', '***-**-**89']);
  });

  it('redacts by label and by mask', () => {
    const text = 'Ask alice@example.com or +44 20 7946 0958.';
    expect(redactPersonalData(text, findPersonalData(text))).toBe('Ask [email] or [phone].');
    expect(redactPersonalData(text, findPersonalData(text), 'mask')).toBe('Ask a***@example.com or +** ** **** 0958.');
  });

  it('answers places in order that do not overlap, whatever the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'alice@example.com',
        'DE89370400440532013000',
        '4111-1111-1111-1111',
        '+44 20 7946 0958',
        '12345678Z',
        '123-45-6789',
        ' ',
        ': ',
        '.',
        '-',
        '(',
        'BSN ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.stringMatching(/^[0-9 .-]{1,20}$/),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        let end = 0;
        for (const finding of findPersonalData(text)) {
          expect(finding.start).toBeGreaterThanOrEqual(end);
          expect(finding.end).toBeGreaterThan(finding.start);
          expect(finding.masked.length).toBeGreaterThan(0);
          end = finding.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('finds no certain number again in what it redacted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('alice@example.com', 'DE89370400440532013000', '4111 1111 1111 1111', '12345678Z', 'words', ',', '\n'), {
          maxLength: 20,
        }),
        (pieces) => {
          const text = pieces.join(' ');
          expect(findPersonalData(redactPersonalData(text, findPersonalData(text)))).toEqual([]);
        },
      ),
    );
  });

  it.each(['a', '1', '1 ', '@', 'a@', '0', '+1', 'DE', 'DE89 ', '4111 ', '1.1-', 'A1', '(0'])(
    'reads long runs of %j in time proportional to their length',
    (unit) => {
      const time = (length: number) => {
        const text = unit.repeat(length / unit.length);
        const from = performance.now();
        findPersonalData(text);
        return performance.now() - from;
      };
      time(20_000);
      // Quadratic behaviour would be 10,000 times the work; the bound leaves a busy machine its noise.
      expect(time(200_000)).toBeLessThan(4000);
    },
  );
});

describe('check digits', () => {
  it('accepts one of the hundred pairs of check digits of an IBAN and one of ten of Luhn', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{18}$/), (account) => {
        const valid = Array.from({ length: 97 }, (_, check) => `DE${String(check + 2).padStart(2, '0')}${account}`).filter(isValidIban);
        expect(valid).toHaveLength(1);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{14}$/), (body) => {
        expect(Array.from({ length: 10 }, (_, check) => passesLuhn(body + check)).filter(Boolean)).toHaveLength(1);
      }),
    );
  });
});

describe('personalDataKinds', () => {
  it('walks strings, numbers and keys, and reads a value with its key', () => {
    expect(personalDataKinds({ a: [{ mail: 'x alice@example.com' }], bsn: '111222333', card: 4111111111111111 })).toEqual([
      'email',
      'payment_card',
      'national_id',
    ]);
    expect(personalDataKinds({ 'alice@example.com': true })).toEqual(['email']);
    expect(personalDataKinds({ phoneNumber: 612345678 })).toEqual(['phone']);
    expect(personalDataKinds({ amount: 123456782, at: '2026-11-20T10:00:00Z', id: '0193a5b2-7c1d-7e3f-8a4b-411111111111' })).toEqual([]);
  });

  it('survives deep nesting and refuses more text than it reads', () => {
    let deep: { [key: string]: unknown } | string = 'alice@example.com';
    for (let level = 0; level < 20_000; level += 1) deep = { v: deep };
    expect(personalDataKinds(deep as never)).toEqual(['email']);
    expect(() => personalDataKinds(Array.from({ length: 11 }, () => 'x'.repeat(1_000_000)))).toThrow(RangeError);
  });

  it('never throws on ordinary JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => Array.isArray(personalDataKinds(value as never))));
  });
});
