# A formula for Homebrew, on macOS and Linux: the package for npm.
class Gvbind < Formula
  desc "Skin weights for glTF and FBX characters by Geodesic Voxel Binding"
  homepage "https://github.com/@OWNER@/gvbind"
  url "https://github.com/@OWNER@/gvbind/releases/download/v@VERSION@/gvbind-@VERSION@.tgz"
  sha256 "@SHA256@"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_equal "gvbind @VERSION@", shell_output("#{bin}/gvbind --version").chomp
    assert_match "no such file", shell_output("#{bin}/gvbind bind none.glb -o out.glb 2>&1", 3)
  end
end
