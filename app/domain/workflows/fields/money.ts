/** An amount in a currency, as a run's input holds it. Expressions compare and add the amount, so it is a number. */
export type Money = { amount: number; currency: string };

export function isMoney(value: unknown): value is Money {
  if (typeof value !== 'object' || value === null || !('amount' in value) || !('currency' in value)) return false;
  return typeof value.amount === 'number' && typeof value.currency === 'string' && /^[A-Z]{3}$/.test(value.currency);
}

/** Of either sign. Below it, a number keeps every decimal of every currency. */
export const MOST_MONEY = 999_999_999_999;

/** Currencies in circulation (ISO 4217, list one of 2026), without funds and precious metals. */
export const CURRENCIES: readonly string[] = (
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK ' +
  'DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS ' +
  'KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD ' +
  'OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP ' +
  'TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
).split(' ');
const KNOWN = new Set(CURRENCIES);
export const isCurrency = (code: string): boolean => KNOWN.has(code);

const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const WITH_THREE = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** Decimals of a currency's smallest unit (ISO 4217). */
export function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE.has(currency) ? 3 : 2;
}

/** How an amount of this currency is written, every decimal that it has included. */
export function currencyFormat(currency: string): Intl.NumberFormatOptions {
  return { style: 'currency', currency, minimumFractionDigits: decimalsOf(currency), maximumFractionDigits: 20 };
}

export type AmountFault = 'shape' | 'decimals' | 'tooBig' | 'tooSmall';

const WRITTEN = /^(-?)(\d+)(?:([.,])(\d+))?$/;
/** Of the first of each ten digits: Arabic, Persian. */
const DIGITS = [0x0660, 0x06f0];

/**
 * The number of an amount as people write it: `1234.5`, `1234,50`, `12 000`, `١٢٫٥`. A comma before three digits may be one of thousands, so it
 * is refused.
 */
export function readAmount(text: string, currency: string): { amount: number } | { fault: AmountFault } {
  const written = readWritten(text);
  if (written === null) return { fault: 'shape' };
  const { amount, decimals } = written;
  if (decimals.replace(/0+$/, '').length > decimalsOf(currency)) return { fault: 'decimals' };
  if (Math.abs(amount) > MOST_MONEY) return { fault: amount > 0 ? 'tooBig' : 'tooSmall' };
  return { amount };
}

/** An amount of any currency, written in the same ways; null where it cannot be told which. */
export const readAnyAmount = (text: string): number | null => readWritten(text)?.amount ?? null;

function readWritten(text: string): { amount: number; decimals: string } | null {
  const [, sign = '', whole, mark, decimals = ''] = WRITTEN.exec(plainDigits(text)) ?? [];
  if (whole === undefined || (mark === ',' && decimals.length === 3)) return null;
  const amount = Number(`${sign}${whole}.${decimals || '0'}`);
  return { amount: amount === 0 ? 0 : amount, decimals };
}

/** Digits of European scripts, with a point or comma; spaces and apostrophes between thousands are left out. */
function plainDigits(text: string): string {
  const spelled = text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (DIGITS.findLast((zero) => zero <= code) ?? code));
  });
  return spelled
    .replace(/[\s\u066c'\u2019\u200e\u200f\u061c\u2068\u2069]/g, '')
    .replace('\u066b', '.')
    .replace('\u2212', '-');
}
