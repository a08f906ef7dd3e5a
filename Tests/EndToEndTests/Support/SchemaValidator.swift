import Fixtures
import Foundation

/// Validates JSON with `Docs/schema.json`, using Python's jsonschema.
enum SchemaValidator {
  private static let schema =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Docs/schema.json").standardizedFileURL.path

  /// Prints one problem per line.
  ///
  /// Keys missing from the schema are problems too: it permits them for documents of later versions.
  private static let program = """
    import json, sys
    from jsonschema import Draft202012Validator
    def close(node):
        if isinstance(node, dict):
            for value in node.values(): close(value)
            if node.get('type') == 'object' and 'properties' in node and node is not selection:
                node['additionalProperties'] = False
        elif isinstance(node, list):
            for value in node: close(value)
    schema = json.load(open(sys.argv[1], encoding='utf-8'))
    Draft202012Validator.check_schema(schema)
    selection = schema['$defs']['selection']
    # Others extend it: only what stands at the end of the way may be closed.
    close(schema['$defs'])
    for name in ('asset', 'info', 'allFields', 'selection'):
        schema['$defs']['closed-' + name] = dict(schema['$defs'][name], unevaluatedProperties=False)
    def redirect(node, names):
        text = json.dumps(node)
        for name in names: text = text.replace('"#/$defs/%s"' % name, '"#/$defs/closed-%s"' % name)
        return json.loads(text)
    for name in ('document', 'selectionDocument', 'infoDocument', 'changeDocument'):
        schema['$defs'][name] = redirect(schema['$defs'][name], ('asset', 'info', 'selection'))
    target = sys.argv[2]
    if 'closed-' + target in schema['$defs']: target = 'closed-' + target
    validator = Draft202012Validator({'$ref': '#/$defs/' + target, '$defs': schema['$defs']})
    for name in sys.argv[4:]:
        data = open(name, encoding='utf-8').read()
        texts = data.splitlines() if sys.argv[3] == 'lines' else [data]
        for text in texts:
            for error in validator.iter_errors(json.loads(text)):
                print(error.json_path, error.message[:300])
    """

  /// The problems of a document, or of each of several lines; empty if there are none.
  /// - Parameter definition: The schema definition that it must match.
  static func problems(
    of bytes: [UInt8], _ definition: String, isLines: Bool = false
  ) throws -> String {
    try problems(ofEach: [bytes], definition, isLines: isLines)
  }

  /// The same for several documents at once: Python takes longer to start than to validate one.
  static func problems(
    ofEach documents: [[UInt8]], _ definition: String, isLines: Bool = false
  ) throws -> String {
    let folder = try TemporaryFolder()
    let paths = try documents.enumerated().map { number, bytes in
      try folder.write(bytes, to: "\(number).json")
      return "\(folder.path)/\(number).json"
    }
    let result = try Consumer.run(
      [Program.python, "-c", program, schema, definition, isLines ? "lines" : "document"] + paths)
    return String(decoding: result, as: UTF8.self)
  }
}
