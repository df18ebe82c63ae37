// Tokens that are no text: who speaks, where a turn ends, where a picture is. Every vocabulary begins with them, in this order, and
// what a user or a tool says must not contain them.

export const CONTROL_TOKENS = ["<bos>", "<eos>", "<image>", "<user>", "<assistant>"] as const;
