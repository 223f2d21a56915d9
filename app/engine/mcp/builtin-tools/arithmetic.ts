import { Big, type Big as Decimal } from 'big.js';

/** A fault in an expression; `at` counts characters from 1. */
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
 * Decimals of any length: 0.1 + 0.2 is 0.3. Only division and powers with negative exponents round, half to even. A constructor
 * of our own: its settings are nobody else's.
 */
const decimal = Big();
decimal.DP = DIVISION_PLACES;
decimal.RM = Big.roundHalfEven;

/**
 * Evaluates numbers, variables, `+ - * / % ^`, parentheses, and min, max, sum, avg, abs, round(x, places), floor, ceil.
 * A percent sign after a number that nothing follows means hundredths. `round(places)` of the result rounds half to even,
 * and `toFixed()` writes it without an exponent and without trailing zeros.
 * @throws ArithmeticError
 */
export function evaluateArithmetic(expression: string, variables: Readonly<Record<string, string | number>> = {}): Decimal {
  if (expression.length > MAX_EXPRESSION_CHARACTERS) throw new ArithmeticError('the expression is too long', MAX_EXPRESSION_CHARACTERS);
  return new Parser(expression, variables).evaluate();
}

/** Reads a decimal as people and programs write it; null where the text is none. */
function parseDecimal(text: string): Decimal | null {
  const match = /^\+?(-?\d{1,200}(?:\.\d{1,200})?(?:[eE]([+-]?\d{1,3}))?)$/.exec(text.trim());
  if (match === null || Math.abs(Number(match[2] ?? '0')) > MAX_EXPONENT) return null;
  return decimal(match[1] ?? '');
}

const floor = (value: Decimal) => value.round(0, value.s < 0 ? Big.roundUp : Big.roundDown);
const isWhole = (value: Decimal) => value.eq(value.round(0));
const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total.plus(value), decimal(0));
const alone =
  (compute: (value: Decimal) => Decimal) =>
  ([value, ...rest]: readonly Decimal[]) =>
    value === undefined || rest.length > 0 ? null : compute(value);

const FUNCTIONS: Readonly<Record<string, (values: readonly Decimal[]) => Decimal | null>> = {
  min: (values) => values.toSorted((a, b) => a.cmp(b))[0] ?? null,
  max: (values) => values.toSorted((a, b) => a.cmp(b)).at(-1) ?? null,
  sum,
  avg: (values) => (values.length === 0 ? null : sum(values).div(values.length)),
  abs: alone((value) => value.abs()),
  floor: alone(floor),
  ceil: alone((value) => floor(value.neg()).neg()),
  round: ([value, places = decimal(0), ...rest]) =>
    value === undefined || rest.length > 0 || !isWhole(places) || places.lt(0) || places.gt(100) ? null : value.round(places.toNumber()),
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
      if (this.#take('+')) value = this.#bounded(value.plus(this.#product()));
      else if (this.#take('-') || this.#take('−')) value = this.#bounded(value.minus(this.#product()));
      else return value;
    }
  }

  #product(): Decimal {
    let value = this.#signed();
    for (;;) {
      if (this.#take('*') || this.#take('×')) value = this.#bounded(value.times(this.#signed()));
      else if (this.#take('/') || this.#take('÷')) value = value.div(this.#divisor());
      else if (this.#take('%')) value = value.mod(this.#divisor());
      else return value;
    }
  }

  #divisor(): Decimal {
    const value = this.#signed();
    if (value.eq(0)) this.#fail('division by zero');
    return value;
  }

  #signed(): Decimal {
    if (this.#take('-') || this.#take('−')) return this.#nested(() => this.#signed().neg());
    if (this.#take('+')) return this.#nested(() => this.#signed());
    return this.#power();
  }

  #power(): Decimal {
    const base = this.#percent();
    if (!this.#take('^')) return base;
    const exponent = this.#nested(() => this.#signed());
    if (!isWhole(exponent) || exponent.abs().gt(MAX_EXPONENT)) return this.#fail(`an exponent is a whole number up to ${MAX_EXPONENT}`);
    const times = exponent.abs().toNumber();
    if (base.c.length * times > MAX_DIGITS * 2) this.#fail('the result is too large');
    const raised = this.#bounded(base.pow(times));
    if (exponent.gte(0)) return raised;
    if (raised.eq(0)) this.#fail('division by zero');
    return decimal(1).div(raised);
  }

  #percent(): Decimal {
    const value = this.#atom();
    this.#space();
    // 'a % b' is a remainder; '5%' that no operand follows are hundredths.
    if (this.#text.charAt(this.#at) === '%' && !/^%\s*[\p{L}\d.(+−-]/u.test(this.#text.slice(this.#at))) {
      this.#at += 1;
      return value.times('0.01');
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
    // `c` are the digits, and `e` the power of ten of the first of them
    const places = value.c.length - 1 - value.e;
    if (places > MAX_DIGITS || value.e >= MAX_DIGITS || value.c.length > MAX_DIGITS) this.#fail('the result is too large');
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
