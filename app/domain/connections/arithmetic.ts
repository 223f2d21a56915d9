/**
 * Arithmetic over decimals without binary rounding: `0.1 + 0.2` is `0.3`. A number is an integer and a power of ten; only
 * division, roots and powers with negative exponents round, half to even, to the digits asked for.
 */
export type Decimal = { digits: bigint; scale: number };

/** What is wrong with an expression; `at` counts characters from 1. */
export class ArithmeticError extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(`${message} (at character ${at})`);
    this.name = 'ArithmeticError';
    this.at = at;
  }
}

export const MAX_EXPRESSION_CHARACTERS = 2_000;
/** Decimal places that a division keeps. */
const DIVISION_PLACES = 34;
/** Digits a result may have: beyond them an expression is an attack or a mistake. */
const MAX_DIGITS = 400;
const MAX_EXPONENT = 400;
const MAX_DEPTH = 100;

/**
 * Evaluates numbers, variables, `+ - * / % ^`, parentheses, and min, max, sum, avg, abs, round(x, places), floor, ceil.
 * A percent sign after a number that nothing follows means hundredths.
 * @throws ArithmeticError
 */
export function evaluateArithmetic(expression: string, variables: Readonly<Record<string, string | number>> = {}): Decimal {
  if (expression.length > MAX_EXPRESSION_CHARACTERS) throw new ArithmeticError('the expression is too long', MAX_EXPRESSION_CHARACTERS);
  return new Parser(expression, variables).evaluate();
}

/** A decimal as text, without exponent and without trailing zeros. */
export function decimalText(value: Decimal): string {
  const { digits, scale } = trimmed(value);
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  return `${digits < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${text.slice(text.length - scale)}`}`;
}

/** Reads a decimal as people and programs write it; null where the text is none. */
export function parseDecimal(text: string): Decimal | null {
  const match = /^([+-]?)(\d{1,200})(?:\.(\d{1,200}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim());
  if (match === null) return null;
  const fraction = match[3] ?? '';
  const exponent = Number(match[4] ?? '0');
  if (Math.abs(exponent) > MAX_EXPONENT) return null;
  const digits = BigInt(`${match[1] === '-' ? '-' : ''}${match[2]}${fraction}`);
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Rounds half to even to a number of decimal places. */
export function roundDecimal(value: Decimal, places: number): Decimal {
  if (value.scale <= places) return value;
  return { digits: dividedEven(value.digits, 10n ** BigInt(value.scale - places)), scale: places };
}

function dividedEven(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const quotient = n / d;
  const twice = (n % d) * 2n;
  const rounded = twice > d || (twice === d && quotient % 2n === 1n) ? quotient + 1n : quotient;
  return negative ? -rounded : rounded;
}

function trimmed(value: Decimal): Decimal {
  let { digits, scale } = value;
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  return { digits, scale };
}

const ZERO: Decimal = { digits: 0n, scale: 0 };
const align = (a: Decimal, b: Decimal): [bigint, bigint, number] => {
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale), scale];
};
const add = (a: Decimal, b: Decimal): Decimal => {
  const [x, y, scale] = align(a, b);
  return { digits: x + y, scale };
};
const negated = (a: Decimal): Decimal => ({ digits: -a.digits, scale: a.scale });
const times = (a: Decimal, b: Decimal): Decimal => trimmed({ digits: a.digits * b.digits, scale: a.scale + b.scale });
const compare = (a: Decimal, b: Decimal): number => {
  const [x, y] = align(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
};
const divided = (a: Decimal, b: Decimal): Decimal =>
  trimmed({
    digits: dividedEven(a.digits * 10n ** BigInt(DIVISION_PLACES + b.scale), b.digits * 10n ** BigInt(a.scale)),
    scale: DIVISION_PLACES,
  });
const whole = (a: Decimal): bigint | null => {
  const t = trimmed(a);
  return t.scale === 0 ? t.digits : null;
};
const floor = (a: Decimal): Decimal => {
  const unit = 10n ** BigInt(a.scale);
  const quotient = a.digits / unit;
  return { digits: a.digits < 0n && a.digits % unit !== 0n ? quotient - 1n : quotient, scale: 0 };
};

const FUNCTIONS: Readonly<Record<string, (values: Decimal[]) => Decimal | null>> = {
  min: (values) => values.toSorted(compare)[0] ?? null,
  max: (values) => values.toSorted(compare).at(-1) ?? null,
  sum: (values) => values.reduce(add, ZERO),
  avg: (values) => (values.length === 0 ? null : divided(values.reduce(add, ZERO), { digits: BigInt(values.length), scale: 0 })),
  abs: ([value, ...rest]) =>
    value === undefined || rest.length > 0 ? null : { digits: value.digits < 0n ? -value.digits : value.digits, scale: value.scale },
  floor: ([value, ...rest]) => (value === undefined || rest.length > 0 ? null : floor(value)),
  ceil: ([value, ...rest]) => (value === undefined || rest.length > 0 ? null : negated(floor(negated(value)))),
  round: ([value, places, ...rest]) => {
    const count = places === undefined ? 0n : whole(places);
    return value === undefined || rest.length > 0 || count === null || count < 0n || count > 100n
      ? null
      : roundDecimal(value, Number(count));
  },
};

class Parser {
  readonly #text: string;
  readonly #variables: Readonly<Record<string, string | number>>;
  #at = 0;
  #depth = 0;

  constructor(text: string, variables: Readonly<Record<string, string | number>>) {
    this.#text = text;
    this.#variables = variables;
  }

  evaluate(): Decimal {
    const value = this.#sum();
    this.#space();
    if (this.#at < this.#text.length) this.#fail(`'${this.#text.charAt(this.#at)}' is not expected here`);
    return value;
  }

  #sum(): Decimal {
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value = this.#bounded(add(value, this.#product()));
      else if (this.#take('-') || this.#take('−')) value = this.#bounded(add(value, negated(this.#product())));
      else return value;
    }
  }

  #product(): Decimal {
    let value = this.#signed();
    for (;;) {
      if (this.#take('*') || this.#take('×')) value = this.#bounded(times(value, this.#signed()));
      else if (this.#take('/') || this.#take('÷')) value = divided(value, this.#divisor());
      else if (this.#take('%')) {
        const by = this.#divisor();
        const [x, y, scale] = align(value, by);
        value = { digits: x % y, scale };
      } else return value;
    }
  }

  #divisor(): Decimal {
    const value = this.#signed();
    if (value.digits === 0n) this.#fail('division by zero');
    return value;
  }

  #signed(): Decimal {
    if (this.#take('-') || this.#take('−')) return this.#nested(() => negated(this.#signed()));
    if (this.#take('+')) return this.#nested(() => this.#signed());
    return this.#power();
  }

  #power(): Decimal {
    const base = this.#percent();
    if (!this.#take('^')) return base;
    const exponent = whole(this.#nested(() => this.#signed()));
    if (exponent === null || exponent > BigInt(MAX_EXPONENT) || exponent < BigInt(-MAX_EXPONENT)) {
      return this.#fail(`an exponent is a whole number up to ${MAX_EXPONENT}`);
    }
    const size = (base.digits < 0n ? -base.digits : base.digits).toString().length;
    const times_ = exponent < 0n ? -exponent : exponent;
    if (BigInt(size) * times_ > BigInt(MAX_DIGITS * 2)) this.#fail('the result is too large');
    const raised = this.#bounded({ digits: base.digits ** times_, scale: base.scale * Number(times_) });
    if (exponent >= 0n) return raised;
    if (raised.digits === 0n) this.#fail('division by zero');
    return divided({ digits: 1n, scale: 0 }, raised);
  }

  #percent(): Decimal {
    const value = this.#atom();
    this.#space();
    // 'a % b' is a remainder; '5%' that no operand follows are hundredths.
    if (this.#text.charAt(this.#at) === '%' && !/^%\s*[\p{L}\d.(+−-]/u.test(this.#text.slice(this.#at))) {
      this.#at += 1;
      return { digits: value.digits, scale: value.scale + 2 };
    }
    return value;
  }

  #atom(): Decimal {
    if (this.#take('(')) {
      const value = this.#nested(() => this.#sum());
      if (!this.#take(')')) this.#fail("')' is missing");
      return value;
    }
    this.#space();
    const rest = this.#text.slice(this.#at);
    const number = /^(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?/.exec(rest)?.[0];
    if (number !== undefined) {
      this.#at += number.length;
      const plain = number.replaceAll('_', '');
      return this.#bounded(parseDecimal(plain.startsWith('.') ? `0${plain}` : plain) ?? this.#fail(`'${number}' is no number`));
    }
    const name = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(rest)?.[0];
    if (name === undefined) return this.#fail(rest === '' ? 'the expression ends too early' : `'${rest.charAt(0)}' is not expected here`);
    this.#at += name.length;
    return this.#take('(') ? this.#call(name) : this.#variable(name);
  }

  #call(name: string): Decimal {
    const compute = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (compute === undefined) return this.#fail(`there is no function '${name}'`);
    const values: Decimal[] = [];
    if (!this.#take(')')) {
      do values.push(this.#nested(() => this.#sum()));
      while (this.#take(',') || this.#take(';'));
      if (!this.#take(')')) this.#fail("')' is missing");
    }
    return compute(values) ?? this.#fail(`'${name}' does not take these arguments`);
  }

  #variable(name: string): Decimal {
    const value = Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined;
    if (value === undefined) return this.#fail(`'${name}' has no value`);
    return parseDecimal(String(value)) ?? this.#fail(`the value of '${name}' is no number`);
  }

  #nested(read: () => Decimal): Decimal {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#fail('nested too deeply');
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #bounded(value: Decimal): Decimal {
    if (value.scale > MAX_DIGITS || value.digits.toString().length > MAX_DIGITS) this.#fail('the result is too large');
    return value;
  }

  #take(symbol: string): boolean {
    this.#space();
    if (this.#text.charAt(this.#at) !== symbol) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    while (/\s/.test(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #fail(message: string): never {
    throw new ArithmeticError(message, this.#at + 1);
  }
}
