// Builders for configuration fields: one line gives type, hard range, default, help and how a change is applied.
import type { Message } from "../core/message.ts";
import { z } from "../core/schema.ts";

/** The environment's own defaults. */
export const NO_PRESET = "none";

/** When a changed value takes effect in a running run. */
export type ApplyClass = "live" | "next" | "restart";

/** Lists that a value may be an id of; extensions add to them. */
export type RegistryName = "environment" | "estimator" | "filter";

/**
 * What the form needs beyond the type. Kept in zod's own metadata, so the schema stays the single source. An alias, because
 * zod takes no interface there.
 */
export type FieldMeta = {
  title: string;
  /** One or two sentences: what it is, and what moving it up or down does. */
  help: Message;
  apply: ApplyClass;
  /** Soft range of the slider; the hard range is the schema's. */
  slider?: readonly [number, number];
  log?: boolean;
  unit?: string;
  /** Shown in the basic view of the panel. */
  basic?: boolean;
};

type NumberOptions = FieldMeta & { min: number; max: number };

/** A bounded number with a default. */
export const num = (defaultValue: number, options: NumberOptions) =>
  bounded(z.number(), defaultValue, options);

/** A bounded whole number with a default. */
export const int = (defaultValue: number, options: NumberOptions) =>
  bounded(z.number().int(), defaultValue, options);

/** A number from 0 to 1 with a default. */
export const fraction = (defaultValue: number, meta: FieldMeta) =>
  num(defaultValue, { min: 0, max: 1, ...meta });

const bounded = (type: z.ZodNumber, defaultValue: number, { min, max, ...meta }: NumberOptions) =>
  type.min(min).max(max).default(defaultValue).meta(meta);

/** A text with a default. */
export const text = (defaultValue: string, meta: FieldMeta) => z.string().default(defaultValue).meta(meta);

/** A switch with a default. */
export const flag = (defaultValue: boolean, meta: FieldMeta) => z.boolean().default(defaultValue).meta(meta);

/**
 * An id of a list that extensions may add to, with a default. A rule checks that the list has it (rules/registered.ts). `idOf`
 * replaces another name of a member by its id.
 */
export const registeredId = (
  registry: RegistryName,
  idOf: (name: string) => string,
  defaultValue: string,
  meta: FieldMeta,
) =>
  z
    .string()
    .overwrite(idOf)
    .default(defaultValue)
    .meta({ ...meta, registry });

/** The title of each id that a value may be. */
type Titles = Readonly<Record<string, string>>;

/** One of these ids, with a default. The schema accepts any text: another check decides whether the id fits (check.ts). */
export const idIn = (titles: Titles, defaultValue: string, meta: FieldMeta) =>
  z
    .string()
    .default(defaultValue)
    .meta({ ...meta, titles });

/** One of several ids, with a default. */
export const choice = <const T extends Titles>(titles: T, defaultValue: keyof T & string, meta: FieldMeta) =>
  z
    .enum(Object.keys(titles) as (keyof T & string)[])
    .default(defaultValue as never)
    .meta({ ...meta, titles });
