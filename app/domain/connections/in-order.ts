import type { Json } from '#app/contracts/json.ts';

/** The same value with its keys in the order in which `model` has them, others last: a peer that only reorders has changed nothing. */
export function inOrderOf(value: Json, model: Json | undefined): Json {
  if (Array.isArray(value)) return value.map((item, index) => inOrderOf(item, Array.isArray(model) ? model[index] : undefined));
  if (!isObject(value)) return value;
  const like = isObject(model) ? model : {};
  const shared = Object.keys(like).filter((name) => Object.hasOwn(value, name));
  const own = Object.keys(value).filter((name) => !Object.hasOwn(like, name));
  return Object.fromEntries([...shared, ...own].map((name) => [name, inOrderOf(value[name] ?? null, like[name])]));
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
