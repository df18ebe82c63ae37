// Builds ONNX graphs node by node. The messages are those of the official schema (`onnx-buf`); this file adds short names
// for what a network needs.
import { create, toBinary } from "@bufbuild/protobuf";
import {
  type AttributeProto,
  AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
  TensorProto_DataType as DataType,
  GraphProtoSchema,
  ModelProtoSchema,
  type NodeProto,
  NodeProtoSchema,
  OperatorSetIdProtoSchema,
  StringStringEntryProtoSchema,
  type TensorProto,
  TensorProtoSchema,
  TensorShapeProto_DimensionSchema,
  TensorShapeProtoSchema,
  TypeProto_TensorSchema,
  TypeProtoSchema,
  type ValueInfoProto,
  ValueInfoProtoSchema,
} from "onnx-buf";

/** LayerNormalization exists since opset 17; nothing else that the graph uses is newer. */
const OPSET = 17;
/** The oldest version of the file format that allows this opset. */
const IR_VERSION = 8;

/** The name of a tensor in the graph. */
export type Value = string;
type ElementType = "float" | "int64" | "uint8";
/** A number, or the name of a length that is known only when the model runs. */
type Dimension = number | string;
/** Whole numbers become INT, others FLOAT: no attribute that the graph uses is a float with a whole value. */
type Attribute = number | readonly number[];

const DATA_TYPES = { float: DataType.FLOAT, int64: DataType.INT64, uint8: DataType.UINT8 } as const;

export class GraphBuilder {
  private readonly nodes: NodeProto[] = [];
  private readonly inputs: ValueInfoProto[] = [];
  private readonly outputs: ValueInfoProto[] = [];
  private readonly initializers = new Map<Value, TensorProto>();

  /** Declares an input of the model. */
  input(name: Value, type: ElementType, shape: readonly Dimension[]): Value {
    this.inputs.push(valueInfo(name, type, shape));
    return name;
  }

  /** Makes `value` an output of the model under a name of its own. */
  output(name: string, value: Value, shape: readonly Dimension[]): void {
    this.add("Identity", [value], {}, [name]);
    this.outputs.push(valueInfo(name, "float", shape));
  }

  /** A node with one output; returns the output's name. */
  op(type: string, inputs: readonly Value[], attributes: Readonly<Record<string, Attribute>> = {}): Value {
    return this.add(type, inputs, attributes, [this.nextName(type)])[0];
  }

  /** `value` in pieces of the given lengths along the last axis. */
  split(value: Value, lengths: readonly number[]): Value[] {
    const outputs = lengths.map((_, i) => `${this.nextName("Split")}_${i}`);
    return this.add("Split", [value, this.ints(lengths)], { axis: -1 }, outputs);
  }

  /** A constant tensor of floats, row-major. */
  floats(name: string, shape: readonly number[], data: Float32Array): Value {
    const rawData = new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
    return this.constant(name, DataType.FLOAT, shape, rawData);
  }

  /** A constant number. */
  scalar(value: number): Value {
    return this.floats(`scalar ${value}`, [], Float32Array.of(value));
  }

  /** A constant vector of int64, such as a shape or a list of axes. */
  ints(values: readonly number[]): Value {
    return this.constant(`ints ${values}`, DataType.INT64, [values.length], int64Bytes(values));
  }

  /** A constant int64 without axes. */
  int(value: number): Value {
    return this.constant(`int ${value}`, DataType.INT64, [], int64Bytes([value]));
  }

  /** The bytes of an `.onnx` file. */
  build(name: string, metadata: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
    const graph = create(GraphProtoSchema, {
      name,
      node: this.nodes,
      initializer: [...this.initializers.values()],
      input: this.inputs,
      output: this.outputs,
    });
    const model = create(ModelProtoSchema, {
      irVersion: BigInt(IR_VERSION),
      producerName: "VAGEN Studio",
      opsetImport: [create(OperatorSetIdProtoSchema, { version: BigInt(OPSET) })],
      graph,
      metadataProps: Object.entries(metadata).map(([key, value]) =>
        create(StringStringEntryProtoSchema, { key, value }),
      ),
    });
    return toBinary(ModelProtoSchema, model);
  }

  private nextName(type: string): Value {
    return `${type}_${this.nodes.length}`;
  }

  private add(
    opType: string,
    input: readonly Value[],
    attributes: Readonly<Record<string, Attribute>>,
    output: Value[],
  ): Value[] {
    const attribute = Object.entries(attributes).map(([name, value]) => attributeOf(name, value));
    const name = this.nextName(opType);
    this.nodes.push(create(NodeProtoSchema, { name, opType, input: [...input], output, attribute }));
    return output;
  }

  /** A constant is written once, however often it is used. */
  private constant(
    name: string,
    dataType: DataType,
    shape: readonly number[],
    rawData: Uint8Array<ArrayBuffer>,
  ): Value {
    const dims = shape.map(BigInt);
    this.initializers.set(name, create(TensorProtoSchema, { name, dataType, dims, rawData }));
    return name;
  }
}

const int64Bytes = (values: readonly number[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(BigInt64Array.from(values, BigInt).buffer);

function attributeOf(name: string, value: Attribute): AttributeProto {
  if (typeof value !== "number")
    return create(AttributeProtoSchema, { name, type: AttributeType.INTS, ints: value.map(BigInt) });
  return Number.isInteger(value)
    ? create(AttributeProtoSchema, { name, type: AttributeType.INT, i: BigInt(value) })
    : create(AttributeProtoSchema, { name, type: AttributeType.FLOAT, f: value });
}

function valueInfo(name: string, type: ElementType, shape: readonly Dimension[]): ValueInfoProto {
  const dim = shape.map((length) =>
    create(TensorShapeProto_DimensionSchema, {
      value:
        typeof length === "number"
          ? { case: "dimValue", value: BigInt(length) }
          : { case: "dimParam", value: length },
    }),
  );
  const tensor = create(TypeProto_TensorSchema, {
    elemType: DATA_TYPES[type],
    shape: create(TensorShapeProtoSchema, { dim }),
  });
  return create(ValueInfoProtoSchema, {
    name,
    type: create(TypeProtoSchema, { value: { case: "tensorType", value: tensor } }),
  });
}
